// jacobi.cu - damped Jacobi on n^3 points, seven points, on 1 .. N GPUs, with
// several ways of moving the halos. Prints program runs for validation:
// workload,paradigm,knobs,gpus,time_s,sigma_s.
//
// method: a host thread per GPU, wall time of a step, median of 60 or more, checked
//
//   jacobi --gpus 1,2,4 --n 128,512 --variant all --chunk 65536 --width 2048
//          [--steps 60] [--check | --no-check] [--count] [--plan] [--no-peer]
//          [--host STYLE: styles.cuh] [--shares 1,4,16: app.cuh]
//
// The grid is cut along z into slabs that differ by at most one plane. Each GPU
// holds two arrays of planes of n x n floats, with a halo plane below and one
// above; the fixed boundary is EDGE, stored in the outer halos only. A step
// reads one array and writes the other; n must be a multiple of 4.
//
// infinite      kernel only, no halo moves (its result is wrong, and meant so)
// memcpy        kernel, then peer copies of both faces in the same stream
// memcpy-async  faces first in an urgent stream, then the inner planes in
//               another, then the copies of the faces beside them
// inline        the kernel stores the faces into the neighbours' halos as well
// proact-poll   an agent (agent.cuh) started before the kernel copies the faces
//               in chunks as blocks count up that they have written them
//
// --no-peer: peer access stays off, the driver stages each peer copy through
// the host's memory; only infinite, memcpy and memcpy-async can run.
//
// After its streams are synchronised each thread meets the others at a barrier.
// One barrier per step is enough: step k writes array k mod 2, its halos too,
// and reads the other; step k+1 writes into a neighbour's halo of the array
// that the neighbour read in step k, which it finished before the barrier.
//
// By default each setting is checked on n = 128 against the host, all points,
// bit for bit, before it is timed; --check checks it on every n instead (for
// n > 128 some planes against one GPU), --no-check nothing. --count prints what
// the program does as name,value and runs nothing.
//
// Plausible on an H200, N = 1: 1.5 to 4.8 TB/s at 8 B per point for n >= 512.
#include "../agent.cuh"
#include "../app.cuh"
#include "../pattern.cuh"
#include "../styles.cuh"

#include <cstring>
#include <map>

static const float EDGE = 1.0f;
static const int TILE_X = 32, TILE_Y = 8;  // threads; one thread, 4 points of x
static const int POINTS_X = 4 * TILE_X;
static const int CHECK_STEPS = 20, CHECK_N = 128;

// ---- device ----------------------------------------------------------------

enum Mode { PLAIN, INLINE, TRACKED };

// One GPU's part of a step. lower and upper are the neighbours' halo planes
// (null at the ends of the domain), ready the chunks' counters, those of the
// lower face first.
struct Slab {
  const float *in;
  float *out, *lower, *upper;
  unsigned *ready;
  size_t chunk_B;
  int n, planes, depth;  // depth: planes a block marches over
};

__host__ __device__ inline int least(int a, int b) { return a < b ? a : b; }

__host__ __device__ inline size_t chunks_of(int n, size_t chunk_B)
{
  return (size_t(n) * n * sizeof(float) + chunk_B - 1) / chunk_B;
}

// The chunks of a face from the first point of a tile to its last. For chunks
// shorter than a row this names some in between that the tile does not touch:
// they are counted alike here and on the host, and wait for it too.
struct Touched {
  unsigned first, last;
};

__host__ __device__ inline Touched touched(int n, size_t chunk_B, int bx,
                                           int by)
{
  size_t x0 = size_t(bx) * POINTS_X, y0 = size_t(by) * TILE_Y;
  size_t x1 = least((bx + 1) * POINTS_X, n) - 1;
  size_t y1 = least((by + 1) * TILE_Y, n) - 1;
  return {unsigned((y0 * n + x0) * sizeof(float) / chunk_B),
          unsigned((y1 * n + x1) * sizeof(float) / chunk_B)};
}

// The order of the additions is the host's: results agree bit for bit.
__host__ __device__ inline float mean7(float c, float w, float e, float s,
                                       float n, float b, float a)
{
  return ((((((c + w) + e) + s) + n) + b) + a) * (1.0f / 7.0f);
}

__device__ inline float4 load4(const float *p)
{
  return __ldg(reinterpret_cast<const float4 *>(p));
}

__device__ inline void store4(float *p, float4 v)
{
  *reinterpret_cast<float4 *>(p) = v;
}

// Planes [z, end) of this thread's four columns; below and here stay in
// registers, so that each plane is read once.
template <Mode MODE> __device__ inline void march(const Slab &s, int z, int end)
{
  const int n = s.n, x = 4 * (blockIdx.x * TILE_X + threadIdx.x);
  const int y = blockIdx.y * TILE_Y + threadIdx.y;
  if (x >= n || y >= n) return;
  const ptrdiff_t plane = ptrdiff_t(n) * n, column = ptrdiff_t(y) * n + x;
  const float4 edge = make_float4(EDGE, EDGE, EDGE, EDGE);
  const float *p = s.in + z * plane + column;
  float *q = s.out + z * plane + column;
  float4 below = load4(p - plane), here = load4(p);
#pragma unroll 2
  for (; z < end; z++, p += plane, q += plane) {
    float4 above = load4(p + plane);
    float4 south = y > 0 ? load4(p - n) : edge;
    float4 north = y < n - 1 ? load4(p + n) : edge;
    float west = x > 0 ? __ldg(p - 1) : EDGE;
    float east = x + 4 < n ? __ldg(p + 4) : EDGE;
    float4 r;
    r.x = mean7(here.x, west, here.y, south.x, north.x, below.x, above.x);
    r.y = mean7(here.y, here.x, here.z, south.y, north.y, below.y, above.y);
    r.z = mean7(here.z, here.y, here.w, south.z, north.z, below.z, above.z);
    r.w = mean7(here.w, here.z, east, south.w, north.w, below.w, above.w);
    store4(q, r);
    if (MODE == INLINE && z == 0 && s.lower) store4(s.lower + column, r);
    if (MODE == INLINE && z == s.planes - 1 && s.upper)
      store4(s.upper + column, r);
    below = here;
    here = above;
  }
}

__device__ inline void count_face(unsigned *ready, Touched t)
{
  for (unsigned c = t.first; c <= t.last; c++) count_up(ready + c);
}

// Planes [first, last), `depth` of them per block; low planes come first.
template <Mode MODE> __global__ void __launch_bounds__(TILE_X * TILE_Y, 5)
  jacobi_kernel(Slab s, int first, int last)
{
  const int z = first + blockIdx.z * s.depth, end = least(z + s.depth, last);
  march<MODE>(s, z, end);
  if (MODE != TRACKED) return;
  const bool low = z == 0 && s.lower, high = end == s.planes && s.upper;
  if (!low && !high) return;
  __syncthreads();
  if (threadIdx.x || threadIdx.y) return;
  const Touched t = touched(s.n, s.chunk_B, blockIdx.x, blockIdx.y);
  if (low) count_face(s.ready, t);
  if (high) count_face(s.ready + (s.lower ? chunks_of(s.n, s.chunk_B) : 0), t);
}

// The first and the last plane in one launch.
__global__ void __launch_bounds__(TILE_X * TILE_Y, 5) faces_kernel(Slab s)
{
  const int z = blockIdx.z ? s.planes - 1 : 0;
  march<PLAIN>(s, z, z + 1);
}

// The initial state, the same for every cut: z is the plane in the whole grid.
__host__ __device__ inline float initial(int n, int z, size_t point)
{
  if (z < 0 || z >= n) return EDGE;
  return (pattern(z * (size_t(n) * n) + point, 3) >> 8) * (1.0f / (1 << 24));
}

// One array of a slab, from its lower halo. Poison is NaN; it spares the outer
// halos, which stay, and the inner ones where nobody will write them: NaNs
// would spread, and a kernel working on them is not the one to time.
enum Poison { NOTHING, OWN, OWN_AND_HALOS };

__global__ void initialise(float *p, int n, int first, int planes,
                           Poison poisoned)
{
  const size_t plane = size_t(n) * n, words = plane * (planes + 2);
  size_t all = size_t(gridDim.x) * blockDim.x;
  for (size_t i = size_t(blockIdx.x) * blockDim.x + threadIdx.x; i < words;
       i += all) {
    int k = int(i / plane), z = first + k - 1;
    bool outer = z < 0 || z >= n, halo = k == 0 || k == planes + 1;
    bool bad = !outer && poisoned != NOTHING &&
               (!halo || poisoned == OWN_AND_HALOS);
    p[i] = bad ? NAN : initial(n, z, i % plane);
  }
}

// ---- one GPU and the whole job ---------------------------------------------

struct Knobs {
  size_t chunk_B;
  int width;  // threads of the agent
};

struct Gpu {
  int first, planes, depth;
  float *grid[2];  // the lower halo planes of the two arrays
  cudaStream_t main, urgent;
  unsigned *ready;
  Chunk *list[2];  // by the array that is written
  int chunks;
};

static int ceil_div(int a, int b) { return (a + b - 1) / b; }

// Fewer planes per block when there are few, so that the SMs have work.
static int depth_for(int n, int planes, int sms)
{
  int tiles = ceil_div(n, POINTS_X) * ceil_div(n, TILE_Y), depth = 8;
  while (depth > 1 && tiles * ceil_div(planes, depth) < 4 * sms) depth /= 2;
  return depth;
}

struct Job {
  int n, gpus;
  Knobs knobs = {0, 0};
  std::vector<Gpu> gpu;

  Job(int n_, int gpus_, int sms) : n(n_), gpus(gpus_), gpu(gpus_)
  {
    int first = 0;
    for (int i = 0; i < gpus; i++) {
      Gpu &g = gpu[i];
      g = Gpu();
      g.first = first;
      g.planes = n / gpus + (i < n % gpus);
      g.depth = depth_for(n, g.planes, sms);
      first += g.planes;
    }
  }
  // The slab of the middle one of so many GPUs, alone.
  void keep_share(int parts, int sms)
  {
    const Job all(n, parts, sms);
    gpu[0] = all.gpu[middle(parts)];
  }
  size_t plane() const { return size_t(n) * n; }
  size_t face_B() const { return plane() * sizeof(float); }
  bool has_lower(int i) const { return i > 0; }
  bool has_upper(int i) const { return i < gpus - 1; }
  int faces(int i) const { return has_lower(i) + has_upper(i); }
  float *own(int i, int array, int z) const  // plane z of GPU i; -1 is a halo
  {
    return gpu[i].grid[array] + (z + 1) * plane();
  }
  float *lower_halo(int i, int array) const  // where GPU i's plane 0 goes
  {
    return has_lower(i) ? own(i - 1, array, gpu[i - 1].planes) : nullptr;
  }
  float *upper_halo(int i, int array) const
  {
    return has_upper(i) ? own(i + 1, array, -1) : nullptr;
  }
  Slab slab(int i, int step) const
  {
    int out = step % 2;
    return {own(i, 1 - out, 0), own(i, out, 0), lower_halo(i, out),
            upper_halo(i, out), gpu[i].ready, knobs.chunk_B, n,
            gpu[i].planes, gpu[i].depth};
  }
};

static void open_job(Job &job)
{
  int low, high;
  for (int i = 0; i < job.gpus; i++) {
    Gpu &g = job.gpu[i];
    for (float *&grid : g.grid)
      grid = device_alloc<float>(i, job.plane() * (g.planes + 2));
    CHECK(cudaDeviceGetStreamPriorityRange(&low, &high));
    CHECK(cudaStreamCreateWithPriority(&g.main, cudaStreamNonBlocking, low));
    CHECK(cudaStreamCreateWithPriority(&g.urgent, cudaStreamNonBlocking, high));
  }
}

static void close_job(Job &job)
{
  for (int i = 0; i < job.gpus; i++) {
    Gpu &g = job.gpu[i];
    CHECK(cudaSetDevice(i));
    for (float *grid : g.grid) CHECK(cudaFree(grid));
    CHECK(cudaStreamDestroy(g.main));
    CHECK(cudaStreamDestroy(g.urgent));
  }
}

// ---- the agent's list ------------------------------------------------------

static std::vector<unsigned> contributors(int n, size_t chunk_B)
{
  std::vector<unsigned> v(chunks_of(n, chunk_B));
  for (int by = 0; by < ceil_div(n, TILE_Y); by++)
    for (int bx = 0; bx < ceil_div(n, POINTS_X); bx++) {
      Touched t = touched(n, chunk_B, bx, by);
      for (unsigned c = t.first; c <= t.last; c++) v[c]++;
    }
  return v;
}

static void add_face(std::vector<Chunk> &list, const float *src, float *dst,
                     size_t face_B, size_t chunk_B,
                     const std::vector<unsigned> &blocks)
{
  for (size_t c = 0; c < blocks.size(); c++) {
    size_t at = c * chunk_B, bytes = std::min(chunk_B, face_B - at);
    list.push_back({reinterpret_cast<const int4 *>(src + at / sizeof(float)),
                    reinterpret_cast<int4 *>(dst + at / sizeof(float)),
                    unsigned(bytes / 16), blocks[c]});
  }
}

// The lower face is written by the first blocks and comes first.
static void make_lists(Job &job, Knobs knobs)
{
  job.knobs = knobs;
  std::vector<unsigned> blocks = contributors(job.n, knobs.chunk_B);
  for (int i = 0; i < job.gpus; i++) {
    Gpu &g = job.gpu[i];
    for (int out = 0; out < 2; out++) {
      std::vector<Chunk> list;
      if (job.has_lower(i))
        add_face(list, job.own(i, out, 0), job.lower_halo(i, out),
                 job.face_B(), knobs.chunk_B, blocks);
      if (job.has_upper(i))
        add_face(list, job.own(i, out, g.planes - 1), job.upper_halo(i, out),
                 job.face_B(), knobs.chunk_B, blocks);
      g.chunks = int(list.size());
      g.list[out] = device_alloc<Chunk>(i, list.size() + 1);
      CHECK(cudaMemcpy(g.list[out], list.data(), list.size() * sizeof(Chunk),
                       cudaMemcpyHostToDevice));
    }
    g.ready = device_alloc<unsigned>(i, g.chunks + 1);
  }
}

static void free_lists(Job &job)
{
  for (int i = 0; i < job.gpus; i++) {
    CHECK(cudaSetDevice(i));
    CHECK(cudaFree(job.gpu[i].list[0]));
    CHECK(cudaFree(job.gpu[i].list[1]));
    CHECK(cudaFree(job.gpu[i].ready));
  }
}

// ---- the variants: step number `step` (from 1) of GPU i --------------------

template <Mode MODE>
static void compute(const Slab &s, int first, int last, cudaStream_t stream)
{
  if (first >= last) return;
  dim3 blocks(ceil_div(s.n, POINTS_X), ceil_div(s.n, TILE_Y),
              ceil_div(last - first, s.depth));
  jacobi_kernel<MODE><<<blocks, dim3(TILE_X, TILE_Y), 0, stream>>>(s, first,
                                                                   last);
  LAUNCHED();
}

static void copy_face(const Job &job, int i, const Slab &s, bool upper,
                      cudaStream_t stream)
{
  float *to = upper ? s.upper : s.lower;
  const float *from = s.out + (upper ? (s.planes - 1) * job.plane() : 0);
  if (to)
    CHECK(cudaMemcpyPeerAsync(to, upper ? i + 1 : i - 1, from, i, job.face_B(),
                              stream));
}

static void copy_faces(const Job &job, int i, const Slab &s,
                       cudaStream_t stream)
{
  for (bool upper : {false, true}) copy_face(job, i, s, upper, stream);
}

static void step_infinite(const Job &job, int i, int step)
{
  const Gpu &g = job.gpu[i];
  compute<PLAIN>(job.slab(i, step), 0, g.planes, g.main);
  CHECK(cudaStreamSynchronize(g.main));
}

static void step_memcpy(const Job &job, int i, int step)
{
  const Gpu &g = job.gpu[i];
  Slab s = job.slab(i, step);
  compute<PLAIN>(s, 0, g.planes, g.main);
  copy_faces(job, i, s, g.main);
  CHECK(cudaStreamSynchronize(g.main));
}

static void step_async(const Job &job, int i, int step)
{
  if (job.gpus == 1) return step_infinite(job, i, step);
  const Gpu &g = job.gpu[i];
  Slab s = job.slab(i, step);
  dim3 blocks(ceil_div(s.n, POINTS_X), ceil_div(s.n, TILE_Y),
              least(2, g.planes));
  faces_kernel<<<blocks, dim3(TILE_X, TILE_Y), 0, g.urgent>>>(s);
  LAUNCHED();
  compute<PLAIN>(s, 1, g.planes - 1, g.main);
  copy_faces(job, i, s, g.urgent);  // last: issuing a copy delays no kernel
  CHECK(cudaStreamSynchronize(g.urgent));
  CHECK(cudaStreamSynchronize(g.main));
}

static void step_inline(const Job &job, int i, int step)
{
  const Gpu &g = job.gpu[i];
  compute<INLINE>(job.slab(i, step), 0, g.planes, g.main);
  CHECK(cudaStreamSynchronize(g.main));
}

// The agent goes first and is urgent and small, so it is on the GPU beside the
// kernel; were it late, it would only find all chunks ready.
static void step_poll(const Job &job, int i, int step)
{
  if (job.gpus == 1) return step_infinite(job, i, step);
  const Gpu &g = job.gpu[i];
  agent_kernel<<<job.knobs.width / THREADS, THREADS, 0, g.urgent>>>(
      g.list[step % 2], g.chunks, g.ready, unsigned(step));
  LAUNCHED();
  compute<TRACKED>(job.slab(i, step), 0, g.planes, g.main);
  CHECK(cudaStreamSynchronize(g.main));
  CHECK(cudaStreamSynchronize(g.urgent));
}

struct Variant {
  const char *name;
  void (*step)(const Job &, int, int);
  bool moves, polls, peers;  // peers: it needs peer access
};

static const Variant variants[] = {
  {"infinite", step_infinite, false, false, false},
  {"memcpy", step_memcpy, true, false, false},
  {"memcpy-async", step_async, true, false, false},
  {"inline", step_inline, true, false, true},
  {"proact-poll", step_poll, true, true, true},
};

// ---- running ---------------------------------------------------------------

static void reset(const Job &job, bool moves)
{
  for (int i = 0; i < job.gpus; i++) {
    const Gpu &g = job.gpu[i];
    CHECK(cudaSetDevice(i));
    initialise<<<2048, THREADS>>>(g.grid[0], job.n, g.first, g.planes, NOTHING);
    initialise<<<2048, THREADS>>>(g.grid[1], job.n, g.first, g.planes,
                                  moves ? OWN_AND_HALOS : OWN);
    LAUNCHED();
    CHECK(cudaMemset(g.ready, 0, (g.chunks + 1) * sizeof *g.ready));
    CHECK(cudaDeviceSynchronize());
  }
}

// A variant that a style of the host is put around (styles.cuh).
struct Work {
  const Job &job;
  const Variant &v;

  cudaStream_t stream(int i) const { return job.gpu[i].main; }
  void settle(int i) const { CHECK(cudaStreamSynchronize(stream(i))); }
  void kernel(int i, int step) const
  {
    const Slab s = job.slab(i, step);
    if (v.step == step_inline)
      compute<INLINE>(s, 0, s.planes, stream(i));
    else
      compute<PLAIN>(s, 0, s.planes, stream(i));
  }
  void copies(int i, int step, int half) const
  {
    if (v.step == step_memcpy)
      copy_face(job, i, job.slab(i, step), half, stream(i));
  }
  bool meet(int i, int j) const
  {
    return v.moves && (i == j + 1 || j == i + 1);
  }
  const float *share(int i, int step) const { return job.own(i, step % 2, 0); }
  const float *before(int i, int step) const { return share(i, step + 1); }
  size_t words(int i) const { return job.gpu[i].planes * job.plane(); }
};

// Whether the style is for all variants, or this is one of those it is for.
static bool suits(const Style &style, const Variant &v)
{
  return strcmp(style.name, "per-gpu") == 0 || v.step == step_infinite ||
         v.step == step_memcpy || v.step == step_inline;
}

// Runs `steps` steps from the initial state; returns the time of each.
static std::vector<double> run(const Job &job, const Variant &v, int steps,
                               const Style &style, bool verified = false)
{
  reset(job, v.moves);
  if (strcmp(style.name, "per-gpu") == 0)
    return time_steps(job.gpus, steps,
                      [&](int i, int step) { v.step(job, i, step); });
  Work work = {job, v};
  Styled<Work> styled(style, job.gpus, work);
  std::vector<double> times = styled.run(steps);
  if (verified) styled.verify_host("jacobi", steps);
  return times;
}

// ---- checking --------------------------------------------------------------

typedef std::vector<float> Plane;

// Plane z of the whole grid after `steps` steps.
static Plane plane_of(const Job &job, int z, int steps)
{
  Plane p(job.plane());
  int i = 0;
  while (z >= job.gpu[i].first + job.gpu[i].planes) i++;
  CHECK(cudaSetDevice(i));
  CHECK(cudaMemcpy(p.data(), job.own(i, steps % 2, z - job.gpu[i].first),
                   job.face_B(), cudaMemcpyDeviceToHost));
  return p;
}

// The host's answer, all planes.
static std::vector<Plane> on_host(int n, int steps)
{
  auto grid = std::vector<Plane>(n, Plane(size_t(n) * n)), next = grid;
  const Plane outer(size_t(n) * n, EDGE);
  for (int z = 0; z < n; z++)
    for (size_t i = 0; i < grid[z].size(); i++) grid[z][i] = initial(n, z, i);
  for (int step = 0; step < steps; step++) {
    for (int z = 0; z < n; z++) {
      const Plane &h = grid[z], &b = z > 0 ? grid[z - 1] : outer;
      const Plane &a = z < n - 1 ? grid[z + 1] : outer;
      for (int y = 0; y < n; y++)
        for (int x = 0; x < n; x++) {
          size_t i = size_t(y) * n + x;
          next[z][i] = mean7(h[i], x > 0 ? h[i - 1] : EDGE,
                             x < n - 1 ? h[i + 1] : EDGE,
                             y > 0 ? h[i - n] : EDGE,
                             y < n - 1 ? h[i + n] : EDGE, b[i], a[i]);
        }
    }
    std::swap(grid, next);
  }
  return grid;
}

// All planes of a small grid; of a large one the ends and the middle of every
// slab of every cut into up to `most` GPUs.
static std::vector<int> planes_to_check(int n, int most)
{
  std::vector<int> v;
  for (int z = 0; n <= CHECK_N && z < n; z++) v.push_back(z);
  for (int gpus = 1; n > CHECK_N && gpus <= most; gpus++) {
    Job cut(n, gpus, 1);
    for (const Gpu &g : cut.gpu)
      for (int z : {0, 1, g.planes / 2, g.planes - 1})
        if (z < g.planes) v.push_back(g.first + z);
  }
  std::sort(v.begin(), v.end());
  v.erase(std::unique(v.begin(), v.end()), v.end());
  return v;
}

// What the planes of an n^3 grid must be, made once: by the host when n is
// small, else by one GPU, which the small check compares with the host.
static const std::map<int, Plane> &expected(int n, int most, int sms)
{
  static std::map<int, std::map<int, Plane>> known;
  std::map<int, Plane> &e = known[n];
  if (!e.empty()) return e;
  if (n <= CHECK_N) {
    std::vector<Plane> grid = on_host(n, CHECK_STEPS);
    for (int z = 0; z < n; z++) e[z] = grid[z];
    return e;
  }
  Job one(n, 1, sms);
  open_job(one);
  make_lists(one, {size_t(65536), THREADS});
  run(one, variants[0], CHECK_STEPS, styles[0]);
  for (int z : planes_to_check(n, most)) e[z] = plane_of(one, z, CHECK_STEPS);
  free_lists(one);
  close_job(one);
  return e;
}

static void check_run(const Job &job, const Variant &v, const Style &style,
                      const std::map<int, Plane> &expect)
{
  if (!v.moves && job.gpus > 1) return;
  run(job, v, CHECK_STEPS, style, true);
  for (const auto &e : expect) {
    Plane p = plane_of(job, e.first, CHECK_STEPS);
    size_t bytes = p.size() * sizeof(float);
    if (memcmp(p.data(), e.second.data(), bytes) == 0) continue;
    fprintf(stderr,
            "jacobi: %s on %d GPUs, host %s, n = %d, chunk %zu, width %d: "
            "plane %d is wrong\n",
            v.name, job.gpus, style.name, job.n, job.knobs.chunk_B,
            job.knobs.width, e.first);
    quit(1);
  }
}

// ---- the command line ------------------------------------------------------

struct Options : AppOptions {
  std::vector<int> n = {128};
  bool check_all = false, check_small = true, count = false;
  const Style *style = &styles[0];
};

static Options parse(int argc, char **argv)
{
  Options o;
  o.app = "jacobi";
  parse_options(
      o, argc, argv,
      [&](const std::string &a) {
        if (a == "--check") o.check_all = true;
        else if (a == "--no-check") o.check_small = false;
        else if (a == "--count") o.count = true;
        else return false;
        return true;
      },
      [&](const std::string &a, const char *value) {
        if (a == "--n") o.n = parse_list(o.app, value);
        else if (a == "--host") o.style = &style_named(o.app, value);
        else return false;
        return true;
      });
  for (int n : o.n)
    if (n % 4) usage(o.app, "--n", "not a multiple of 4");
  for (int c : o.chunk)
    if (c % 16) usage(o.app, "--chunk", "not a multiple of 16 bytes");
  for (int w : o.width)
    if (w % THREADS || w > 132 * 1024)
      usage(o.app, "--width", "not a multiple of 256 up to 132*1024");
  check_variant(o, variants);
  return o;
}

// ---- counting --------------------------------------------------------------

static Calls calls_of(const Job &job, int i, const Variant &v)
{
  bool two = job.gpus > 1 && (v.polls || v.step == step_async);
  bool copies = v.step == step_memcpy || v.step == step_async;
  bool one = v.step == step_async && job.gpu[i].planes <= 2;  // only faces
  return {double(one ? 1 : 1 + two), double(copies ? job.faces(i) : 0), 0,
          double(1 + two)};
}

static void count_gpu(const Job &job, int i, const Options &o)
{
  Counts at("jacobi", "n" + std::to_string(job.n), job.gpus, i);
  const Gpu &g = job.gpu[i];
  int faces = job.faces(i);
  int tiles = ceil_div(job.n, POINTS_X) * ceil_div(job.n, TILE_Y);
  int layers = ceil_div(g.planes, g.depth);
  at.print("share_B", double(g.planes) * job.face_B());
  at.print("planes", g.planes);
  at.print("planes_per_block", g.depth);
  at.print("publish_B", double(faces) * job.face_B());
  at.print("sent_B", double(faces) * job.face_B());
  at.print("destinations", faces);
  at.print("inline_stores_128B", double(faces) * ceil_div(job.n, 32) * job.n);
  if (faces) at.print("rewrites", 1);
  at.print("blocks", double(tiles) * layers);
  at.print("contributing_blocks", double(tiles) * std::min(faces, layers));
  for (int c : o.chunk) {
    double counts = 0;
    for (unsigned u : contributors(job.n, c)) counts += u;
    std::string of = "chunk" + std::to_string(c);
    at.print(of + ".chunks", double(faces) * chunks_of(job.n, c));
    at.print(of + ".counter_updates", faces * counts);
  }
  for (const Variant &v : variants) at.print(v.name, calls_of(job, i, v));
}

static void count_job(const Job &job, const Options &o)
{
  for (int i = 0; i < job.gpus; i++) count_gpu(job, i, o);
}

// ---- timing ----------------------------------------------------------------

static Stat time_steps_of(const Job &job, const Variant &v, const Options &o)
{
  const Style &style = *o.style;
  return robust(enough_of([&] {
    return settled(style, run(job, v, total_steps(style, o.steps), style));
  }));
}

static std::string knobs_text(const Job &job, const Variant &v,
                              const Style &style)
{
  std::string knobs = "dims=3;n=" + std::to_string(job.n) + ";word=4";
  knobs += style.knobs;
  if (v.polls)
    knobs += ";proact-poll.chunk=" + std::to_string(job.knobs.chunk_B) +
             ";proact-poll.width=" + std::to_string(job.knobs.width);
  return knobs;
}

static void time_run(const Job &job, const Variant &v, const Options &o)
{
  Stat s = time_steps_of(job, v, o);
  run_row("jacobi", v.name, knobs_text(job, v, *o.style), job.gpus, s);
  if (job.gpus == 1 && job.n >= 512)
    plausible("jacobi", 8.0 * job.plane() * job.n / s.time / 1e12, 1.5, 4.8,
              "TB/s");
}

// The knobs that matter to a variant; one GPU moves nothing, whatever they are.
static std::vector<Knobs> knobs_of(const Variant &v, int gpus, const Options &o)
{
  std::vector<Knobs> all;
  for (int c : o.chunk)
    for (int w : o.width) all.push_back({size_t(c), w});
  if (!v.polls || gpus == 1) all.resize(1);
  return all;
}

// Calls act(job, variant) for all settings of n points on so many GPUs.
template <class Act>
static void each_setting(int n, int gpus, const Options &o, int sms, Act act)
{
  Job job(n, gpus, sms);
  open_job(job);
  for (const Variant &v : variants) {
    if (!wanted(o, v) || !suits(*o.style, v)) continue;
    for (Knobs k : knobs_of(v, gpus, o)) {
      make_lists(job, k);
      act(job, v);
      free_lists(job);
    }
  }
  close_job(job);
}

static void one_size(int n, int gpus, const Options &o, int most, int sms)
{
  const std::map<int, Plane> *e = o.check_all ? &expected(n, most, sms)
                                              : nullptr;
  each_setting(n, gpus, o, sms, [&](const Job &job, const Variant &v) {
    if (e) check_run(job, v, *o.style, *e);
    time_run(job, v, o);
  });
}

static void print_plan(int n, int gpus, const Options &o)
{
  Job job(n, gpus, 132);
  for (const Variant &v : variants)
    if (wanted(o, v) && suits(*o.style, v))
      for (const Knobs &k : knobs_of(v, gpus, o)) {
        job.knobs = k;
        plan_row("jacobi", v.name, knobs_text(job, v, *o.style), gpus);
      }
}

static void run_shares(int n, const Options &o, int sms)
{
  for (int parts : o.shares) {
    Job job(n, 1, sms);
    job.keep_share(parts, sms);
    open_job(job);
    make_lists(job, {size_t(o.chunk[0]), o.width[0]});
    share_row("jacobi", knobs_text(job, variants[0], styles[0]), parts,
              time_steps_of(job, variants[0], o));
    free_lists(job);
    close_job(job);
  }
}

int main(int argc, char **argv)
{
  Options o = parse(argc, argv);
  int most = *std::max_element(o.gpus.begin(), o.gpus.end());
  if (o.count) {
    for (int n : o.n)
      for (int g : o.gpus) count_job(Job(n, g, 132), o);
    return 0;
  }
  for (int n : o.n)
    for (int g : o.gpus)
      if (o.plan) print_plan(n, g, o);
  if (o.plan) return 0;
  int least_gpus = *std::min_element(o.gpus.begin(), o.gpus.end());
  int here = open_gpus("jacobi", least_gpus, o.peers), sms = sm_count();
  for (int n : o.n) run_shares(n, o, sms);
  if (!o.shares.empty()) return 0;
  for (int g : o.gpus) {
    if (g > here) {
      fprintf(stderr, "jacobi: %d GPUs, found %d: skipped\n", g, here);
      continue;
    }
    if (o.check_small && !o.check_all) {
      const std::map<int, Plane> &e = expected(CHECK_N, most, sms);
      each_setting(CHECK_N, g, o, sms, [&](const Job &job, const Variant &v) {
        check_run(job, v, *o.style, e);
      });
    }
    for (int n : o.n)
      if (n >= g) one_size(n, g, o, most, sms);
  }
  return 0;
}
