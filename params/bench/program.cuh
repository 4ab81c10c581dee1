// program.cuh - the host's half of the programs whose kernels use publish.cuh:
// the variants, the steps, the checks, the counts, the rows. A program is one
// struct, App, with
//
//   typedef Word;                      of 4 B
//   static knobs                       {option, default, multiple of, most}, {}
//   static small()                     values of the knobs for the host's check
//   App(values, gpus)                  no CUDA in here
//   name(), text(gpus), label()        of the rows: workload, knobs; of counts
//   fields, phases, exclusive, past    exclusive: see Out. past: the steps read
//                                      what their own array held before
//   field(phase)                       which it makes
//   start(field, gpu)                  first word of its share; gpus: the end
//   blocks(phase, gpu, pull), span(phase, gpu, block)
//   regions(phase, gpu)                what others need, in the order in which
//                                      it is made: the agent's
//   runs(phase, gpu, block, f)         f(span) for each run that a warp stores
//   open(gpu), close(gpu)              its own arrays, on the current GPU
//   fill(field, version, p)            the initial state, all of it
//   launch<Mode>(phase, gpu, args, first, blocks, stream)
//   expected(steps)                    the host's answer: a vector for each field
//   place(field)                       functor: a word's name, the same for any
//                                      number of GPUs (here: Same)
//
// A step is its phases, in order, each ended by a barrier of all GPUs. A field
// has two versions: a phase reads the version that was written last and writes
// the other. So nobody reads what another writes, and one barrier is enough.
//
// infinite      kernels only; the results of others do not arrive
// memcpy        kernel, then peer copies of its regions, in the same stream
// memcpy-async  a kernel for the blocks that complete a chunk, then the next;
//               copies of what is complete beside it, in another stream. They
//               are issued after the next kernel, which so is not delayed
// inline        the kernel stores what others need to them as well
// proact-poll   an agent (agent.cuh), started before, copies each chunk when
//               its blocks have counted up
// proact-cdp    the block that completes a chunk launches a kernel of `width`
//               threads that copies it
// rdl           nothing is sent: the kernel reads what it needs from its owner
// um            the fields are managed memory, one copy for all GPUs: pages move
//               to who touches them
// um-hints      the same; each share prefers its owner, who was given it by a
//               prefetch, and is mapped to the others (accessed by)
// On one GPU there are only infinite, um and um-hints: the others would be
// infinite. um and um-hints run if named, not with `all`, and only if the fields
// take at most 1 GiB.
//
// Options: --gpus 1,2,4  --steps 30  --variant all|NAME,NAME  --chunk BYTES,...
// --width THREADS,...  --host per-gpu|one (thread)  --no-peer  --no-check
// --count, and the program's knobs, each a list. All sizes are run, all settings
// of a variant's chunk and width.
//
// Checks: each setting runs 6 steps of a small problem, compared with the host's
// answer; then the timed steps, of which one GPU's result (infinite, N = 1) is
// what each GPU must hold of each field at the end. The small problem also on
// one GPU. What must be received is poisoned before. Compared is a sum over all
// words of a 64-bit hash of place and bits.
//
// --count prints name,value, per phase and GPU, and needs no GPU; stores are
// those of `inline` over the links, in lines of 128 B.
#pragma once
#include "app.cuh"
#include "pattern.cuh"
#include "publish.cuh"

#include <map>
#include <memory>
#include <set>

const int CHECK_STEPS = 6, PENDING = 4096;
const double LONGEST = 1;  // s of steps in managed memory: beyond, not timed

struct KnobOption {
  const char *option;
  int standard, multiple, most;
};

struct Same {
  __host__ __device__ unsigned operator()(unsigned at) const { return at; }
};

enum Way { COMPUTE, COPY, PIECES, STORE, POLL, LAUNCH, LOAD, MANAGED, ADVISED };

struct Variant {
  const char *name;
  Way way;
  bool peers, chunk, width;  // peer access needed; the knobs that matter
  bool managed() const { return way == MANAGED || way == ADVISED; }
  bool two_streams() const { return way == PIECES || way == POLL; }
};

static const Variant variants[] = {
  {"infinite", COMPUTE, false, false, false},
  {"memcpy", COPY, false, false, false},
  {"memcpy-async", PIECES, false, true, false},
  {"inline", STORE, true, false, false},
  {"proact-poll", POLL, true, true, true},
  {"proact-cdp", LAUNCH, true, true, true},
  {"rdl", LOAD, true, false, false},
  {"um", MANAGED, false, false, false},
  {"um-hints", ADVISED, false, false, false},
};

struct Setting {
  unsigned chunk_B;
  int width;
};

inline Region region(unsigned first, unsigned end, unsigned to)
{
  return {{first, end}, to};
}

inline unsigned all_but(int gpu, int gpus)
{
  return ((1u << gpus) - 1) & ~(1u << gpu);
}

// The runs of a block whose threads store consecutive words.
template <class F> void warp_runs(Span s, F f)
{
  for (unsigned at = s.first; at < s.end; at += 32)
    f(Span{at, std::min(at + 32, s.end)});
}

// ---- what a GPU sends in a phase -------------------------------------------

struct Piece {
  Span words;
  unsigned to, contributors, last;  // last: block that completes it
};

// Blocks up to `end` are launched together; then these chunks are complete.
struct Cut {
  unsigned end;
  std::vector<int> chunks;
};

struct Plan {
  std::vector<Region> regions;  // `to` in the order of the GPU's peers
  std::vector<unsigned> base;
  std::vector<Piece> chunks;
  std::vector<Cut> cuts;
};

inline unsigned peer_bits(unsigned to, int gpu, int gpus)
{
  unsigned bits = 0;
  for (int k = 0; k < gpus - 1; k++)
    if (to >> (gpu + 1 + k) % gpus & 1) bits |= 1u << k;
  return bits;
}

inline void cut_regions(Plan &plan, unsigned chunk)
{
  for (const Region &r : plan.regions) {
    plan.base.push_back(unsigned(plan.chunks.size()));
    for (unsigned at = r.words.first; at < r.words.end; at += chunk)
      plan.chunks.push_back(
          {{at, std::min(at + chunk, r.words.end)}, r.to, 0, 0});
  }
}

inline void order_cuts(Plan &plan, unsigned blocks)
{
  std::multimap<unsigned, int> by_last;
  for (size_t c = 0; c < plan.chunks.size(); c++)
    by_last.insert({plan.chunks[c].last, int(c)});
  for (const auto &at : by_last) {
    if (plan.cuts.empty() || plan.cuts.back().end != at.first + 1)
      plan.cuts.push_back({at.first + 1, {}});
    plan.cuts.back().chunks.push_back(at.second);
  }
  if (plan.cuts.empty() || plan.cuts.back().end < blocks)
    plan.cuts.push_back({blocks, {}});
}

// A mistake in a program would hang an agent, or move half a word of 16 B.
inline void check_plan(const Plan &plan)
{
  bool right = plan.regions.size() <= size_t(REGIONS);
  for (const Piece &c : plan.chunks)
    right &= c.contributors > 0 && c.words.first % 4 == 0 &&
             c.words.end % 4 == 0 && c.to != 0;
  if (right) return;
  fprintf(stderr, "the program's regions and spans do not fit\n");
  quit(1);
}

template <class App>
Plan make_plan(const App &app, int phase, int gpu, int gpus, unsigned chunk)
{
  Plan plan;
  if (gpus > 1) plan.regions = app.regions(phase, gpu);
  for (Region &r : plan.regions) r.to = peer_bits(r.to, gpu, gpus);
  cut_regions(plan, chunk);
  unsigned blocks = app.blocks(phase, gpu, false);
  for (unsigned b = 0; b < blocks; b++)
    for (size_t r = 0; r < plan.regions.size(); r++) {
      Span met = chunks_met(plan.regions[r].words, app.span(phase, gpu, b),
                            chunk);
      for (unsigned c = met.first; c < met.end; c++) {
        Piece &of = plan.chunks[plan.base[r] + c];
        of.contributors++;
        of.last = b;
      }
    }
  check_plan(plan);
  order_cuts(plan, blocks);
  return plan;
}

// ---- managed memory --------------------------------------------------------

inline cudaMemLocation on_gpu(int gpu)
{
  cudaMemLocation l = {};
  l.type = cudaMemLocationTypeDevice;
  l.id = gpu;
  return l;
}

inline bool managed_everywhere(int gpus)
{
  for (int i = 0; i < gpus; i++) {
    int can = 0;
    CHECK(cudaDeviceGetAttribute(&can, cudaDevAttrConcurrentManagedAccess, i));
    if (!can) return false;
  }
  return true;
}

// ---- the job ---------------------------------------------------------------

template <class App> struct Job {
  typedef typename App::Word Word;

  struct Gpu {
    cudaStream_t main, urgent;
    cudaEvent_t made[2];
  };
  struct Sending {
    Plan plan;
    unsigned *ready;
    Parcel *list[2];  // by the parity of the step
    Args<Word> args[2];
  };

  App app;
  int gpus;
  bool managed;
  Setting set = {0, 0};
  std::vector<Gpu> gpu;
  std::vector<std::vector<Sending>> sending;  // of a phase and a GPU
  Word *array[FIELDS][2][MOST];

  Job(const std::vector<int> &values, int gpus_, bool managed_)
      : app(values, gpus_), gpus(gpus_), managed(managed_), gpu(gpus_),
        sending(app.phases, std::vector<Sending>(gpus_))
  {
  }
  size_t words(int field) const { return app.start(field, gpus); }
  size_t fields_B() const
  {
    size_t n = 0;
    for (int f = 0; f < app.fields; f++) n += 2 * words(f) * sizeof(Word);
    return n;
  }
  int peer(int i, int k) const { return (i + 1 + k) % gpus; }

  // The version of a field that is current before a phase of a step (from 1).
  int version(int field, int step, int phase) const
  {
    int writes = 0, per_step = 0;
    for (int p = 0; p < app.phases; p++) {
      per_step += app.field(p) == field;
      writes += p < phase && app.field(p) == field;
    }
    return (writes + (step - 1) * per_step) % 2;
  }

  // ---- memory ----

  void open()
  {
    int low, high;
    for (int i = 0; i < gpus; i++) {
      Gpu &g = gpu[i];
      CHECK(cudaSetDevice(i));
      CHECK(cudaDeviceGetStreamPriorityRange(&low, &high));
      CHECK(cudaStreamCreateWithPriority(&g.main, cudaStreamNonBlocking, low));
      CHECK(cudaStreamCreateWithPriority(&g.urgent, cudaStreamNonBlocking,
                                         high));
      for (cudaEvent_t &e : g.made)
        CHECK(cudaEventCreateWithFlags(&e, cudaEventDisableTiming));
      app.open(i);
      CHECK(cudaDeviceSynchronize());
    }
    for (int f = 0; f < app.fields; f++)
      for (int v = 0; v < 2; v++)
        for (int i = 0; i < gpus; i++) array[f][v][i] = new_array(f, v, i);
  }

  Word *new_array(int f, int v, int i)
  {
    if (!managed) return device_alloc<Word>(i, words(f));
    if (i > 0) return array[f][v][0];
    Word *p;
    CHECK(cudaSetDevice(0));
    CHECK(cudaMallocManaged(&p, words(f) * sizeof(Word)));
    return p;
  }

  void close()
  {
    for (int i = 0; i < gpus; i++) {
      Gpu &g = gpu[i];
      CHECK(cudaSetDevice(i));
      for (int f = 0; f < app.fields; f++)
        for (int v = 0; v < 2 && (i == 0 || !managed); v++)
          CHECK(cudaFree(array[f][v][i]));
      app.close(i);
      CHECK(cudaStreamDestroy(g.main));
      CHECK(cudaStreamDestroy(g.urgent));
      for (cudaEvent_t e : g.made) CHECK(cudaEventDestroy(e));
    }
  }

  // ---- lists and arguments, for one setting ----

  void prepare(Setting s)
  {
    set = s;
    for (int p = 0; p < app.phases; p++)
      for (int i = 0; i < gpus; i++) {
        Sending &to = sending[p][i];
        to.plan = make_plan(app, p, i, gpus, s.chunk_B / 4);
        to.ready = device_alloc<unsigned>(i, to.plan.chunks.size() + 1);
        for (int odd = 0; odd < 2; odd++) {
          to.list[odd] = upload_list(p, i, odd);
          to.args[odd] = arguments(p, i, odd);
        }
      }
  }

  void release()
  {
    for (auto &phase : sending)
      for (int i = 0; i < gpus; i++) {
        CHECK(cudaSetDevice(i));
        CHECK(cudaFree(phase[i].ready));
        for (Parcel *l : phase[i].list) CHECK(cudaFree(l));
      }
  }

  // Where a phase writes, on GPU i, in odd or even steps.
  Word *target(int p, int i, int odd) const
  {
    int f = app.field(p);
    return array[f][1 - version(f, 2 - odd, p)][i];
  }

  Parcel *upload_list(int p, int i, int odd) const
  {
    std::vector<Parcel> list;
    for (const Piece &c : sending[p][i].plan.chunks) {
      Parcel q = {};
      int n = 0;
      q.src = reinterpret_cast<int4 *>(target(p, i, odd) + c.words.first);
      for (int k = 0; k < gpus - 1; k++)
        if (c.to >> k & 1)
          q.dst[n++] = reinterpret_cast<int4 *>(target(p, peer(i, k), odd) +
                                                c.words.first);
      q.words = (c.words.end - c.words.first) / 4;
      q.contributors = c.contributors;
      list.push_back(q);
    }
    Parcel *on_gpu = device_alloc<Parcel>(i, list.size() + 1);
    CHECK(cudaMemcpy(on_gpu, list.data(), list.size() * sizeof(Parcel),
                     cudaMemcpyHostToDevice));
    return on_gpu;
  }

  Args<Word> arguments(int p, int i, int odd) const
  {
    Args<Word> a = {};
    const Sending &s = sending[p][i];
    a.out.own = target(p, i, odd);
    for (int k = 0; k < gpus - 1; k++)
      a.out.peer[k] = target(p, peer(i, k), odd);
    a.out.regions = int(s.plan.regions.size());
    for (int r = 0; r < a.out.regions; r++) {
      a.out.region[r] = s.plan.regions[r];
      a.out.base[r] = s.plan.base[r];
    }
    a.out.exclusive = app.exclusive;
    a.out.chunk = set.chunk_B / 4;
    a.out.ready = s.ready;
    a.out.list = s.list[odd];
    a.out.children = unsigned(set.width / THREADS);
    for (int f = 0; f < app.fields; f++) a.in[f] = source(f, p, i, odd);
    return a;
  }

  In<Word> source(int f, int p, int i, int odd) const
  {
    In<Word> in = {};
    int v = version(f, 2 - odd, p);
    in.own = array[f][v][i];
    for (int k = 0; k < MOST; k++) {
      in.of[k] = k < gpus ? array[f][v][k] : nullptr;
      in.first[k] = k < gpus ? app.start(f, k) : ~0u;
    }
    return in;
  }

  size_t most_chunks() const
  {
    size_t n = 0;
    for (const auto &phase : sending)
      for (const Sending &s : phase) n = std::max(n, s.plan.chunks.size());
    return n;
  }

  // ---- a phase of a step, on GPU i ----

  template <Mode M>
  void launch(int p, int i, int step, unsigned first, unsigned blocks)
  {
    Args<Word> a = sending[p][i].args[step % 2];
    a.step = a.out.step = unsigned(step);
    app.template launch<M>(p, i, a, first, blocks, gpu[i].main);
    LAUNCHED();
  }

  template <Mode M> void launch_all(int p, int i, int step)
  {
    launch<M>(p, i, step, 0, app.blocks(p, i, pulls(M)));
  }

  // One stretch of words to one of GPU i's peers.
  void copy(int p, int i, int step, Span words, int k, cudaStream_t stream)
  {
    Word *to = target(p, peer(i, k), step % 2);
    const Word *from = target(p, i, step % 2);
    CHECK(cudaMemcpyPeerAsync(to + words.first, peer(i, k),
                              from + words.first, i,
                              (words.end - words.first) * sizeof(Word),
                              stream));
  }

  void copy_regions(int p, int i, int step)
  {
    for (int k = 0; k < gpus - 1; k++)
      for (const Region &r : sending[p][i].plan.regions)
        if (r.to >> k & 1) copy(p, i, step, r.words, k, gpu[i].main);
  }

  void copy_cut(int p, int i, int step, const Cut &cut, cudaEvent_t made)
  {
    if (cut.chunks.empty()) return;
    CHECK(cudaStreamWaitEvent(gpu[i].urgent, made, 0));
    for (int c : cut.chunks) {
      const Piece &of = sending[p][i].plan.chunks[c];
      for (int k = 0; k < gpus - 1; k++)
        if (of.to >> k & 1) copy(p, i, step, of.words, k, gpu[i].urgent);
    }
  }

  // A wait is for the last record before it, so two events serve all cuts.
  void issue_pieces(int p, int i, int step)
  {
    const std::vector<Cut> &cuts = sending[p][i].plan.cuts;
    const Gpu &g = gpu[i];
    for (size_t n = 0; n <= cuts.size(); n++) {
      if (n < cuts.size()) {
        unsigned first = n ? cuts[n - 1].end : 0;
        launch<PLAIN>(p, i, step, first, cuts[n].end - first);
        if (!cuts[n].chunks.empty())
          CHECK(cudaEventRecord(g.made[n % 2], g.main));
      }
      if (n) copy_cut(p, i, step, cuts[n - 1], g.made[(n - 1) % 2]);
    }
  }

  // The agent goes first and is urgent and small, so it is on the GPU beside
  // the kernel; were it late, it would only find all chunks ready.
  void issue_agent(int p, int i, int step)
  {
    const Sending &s = sending[p][i];
    if (s.plan.chunks.empty()) return;
    agent_kernel<<<set.width / THREADS, THREADS, 0, gpu[i].urgent>>>(
        s.list[step % 2], int(s.plan.chunks.size()), s.ready, unsigned(step));
    LAUNCHED();
  }

  void issue(const Variant &v, int p, int i, int step)
  {
    switch (gpus == 1 && !managed ? COMPUTE : v.way) {
    case COMPUTE: return launch_all<PLAIN>(p, i, step);
    case COPY:
      launch_all<PLAIN>(p, i, step);
      return copy_regions(p, i, step);
    case PIECES: return issue_pieces(p, i, step);
    case STORE: return launch_all<INLINE>(p, i, step);
    case POLL:
      issue_agent(p, i, step);
      return launch_all<TRACKED>(p, i, step);
    case LAUNCH: return launch_all<LAUNCHING>(p, i, step);
    case LOAD: return launch_all<REMOTE>(p, i, step);
    case MANAGED:
    case ADVISED: return launch_all<SHARED>(p, i, step);
    }
  }

  void wait(const Variant &v, int p, int i)
  {
    if (v.two_streams() && !sending[p][i].plan.chunks.empty())
      CHECK(cudaStreamSynchronize(gpu[i].urgent));
    CHECK(cudaStreamSynchronize(gpu[i].main));
  }

  // ---- steps ----

  // From the initial state; returns the time of each.
  std::vector<double> run(const Variant &v, int steps, bool one_thread)
  {
    reset(v);
    if (one_thread)
      return time_steps(1, steps, [&](int, int step) {
        for (int p = 0; p < app.phases; p++) {
          for (int i = 0; i < gpus; i++) {
            CHECK(cudaSetDevice(i));
            issue(v, p, i, step);
          }
          for (int i = 0; i < gpus; i++) wait(v, p, i);
        }
      });
    Barrier phase_end(gpus);
    return time_steps(gpus, steps, [&](int i, int step) {
      for (int p = 0; p < app.phases; p++) {
        if (p) phase_end.wait();
        issue(v, p, i, step);
        wait(v, p, i);
      }
    });
  }

  void reset(const Variant &v)
  {
    for (int i = 0; i < gpus; i++) {
      CHECK(cudaSetDevice(i));
      for (int f = 0; f < app.fields && (i == 0 || !managed); f++) {
        app.fill(f, 0, array[f][0][i]);
        if (app.past || v.way == COMPUTE)
          app.fill(f, 1, array[f][1][i]);
        else
          CHECK(cudaMemset(array[f][1][i], 0xA5, words(f) * sizeof(Word)));
        LAUNCHED();
      }
      for (auto &phase : sending)
        CHECK(cudaMemset(phase[i].ready, 0,
                         phase[i].plan.chunks.size() * sizeof(unsigned)));
      CHECK(cudaDeviceSynchronize());
    }
    if (v.way == ADVISED) advise();
  }

  void advise()
  {
    for (int f = 0; f < app.fields; f++)
      for (int n = 0; n < 2; n++)
        for (int i = 0; i < gpus; i++) {
          Word *share = array[f][n][0] + app.start(f, i);
          size_t bytes =
              (app.start(f, i + 1) - app.start(f, i)) * sizeof(Word);
          CHECK(cudaMemAdvise(share, bytes, cudaMemAdviseSetPreferredLocation,
                              on_gpu(i)));
          for (int k = 0; k < gpus - 1; k++)
            CHECK(cudaMemAdvise(share, bytes, cudaMemAdviseSetAccessedBy,
                                on_gpu(peer(i, k))));
          CHECK(cudaSetDevice(i));
          CHECK(cudaMemPrefetchAsync(share, bytes, on_gpu(i), 0, gpu[i].main));
          CHECK(cudaStreamSynchronize(gpu[i].main));
        }
  }
};

// ---- checking --------------------------------------------------------------

template <class Word, class Place>
__global__ void digest_kernel(const Word *p, Span s, Place place,
                              unsigned long long *sum)
{
  unsigned long long mine = 0;
  for (unsigned i = s.first + blockIdx.x * blockDim.x + threadIdx.x; i < s.end;
       i += gridDim.x * blockDim.x) {
    unsigned bits;
    memcpy(&bits, p + i, sizeof bits);
    unsigned long long x = (static_cast<unsigned long long>(place(i)) << 32) |
                           bits;
    x = (x ^ (x >> 29)) * 0x9E3779B97F4A7C15ull;
    mine += (x ^ (x >> 32)) * 0xBF58476D1CE4E5B9ull;
  }
  atomicAdd(sum, mine);
}

// The fields after `steps` steps, on GPU 0, as one GPU would hold them.
template <class App> struct Reference {
  typedef typename App::Word Word;
  App app;
  int steps;
  Word *field[FIELDS] = {};

  Reference(const std::vector<int> &values, int steps_)
      : app(values, 1), steps(steps_)
  {
    for (int f = 0; f < app.fields; f++)
      field[f] = device_alloc<Word>(0, app.start(f, 1));
  }
  Reference(const Reference &) = delete;
  ~Reference()
  {
    CHECK(cudaSetDevice(0));
    for (Word *p : field) CHECK(cudaFree(p));
  }
  size_t bytes(int f) const { return app.start(f, 1) * sizeof(Word); }
  void from_host()
  {
    auto e = app.expected(steps);
    for (int f = 0; f < app.fields; f++)
      CHECK(cudaMemcpy(field[f], e[f].data(), bytes(f),
                       cudaMemcpyHostToDevice));
  }
  void from_one_gpu(const std::vector<int> &values)
  {
    Job<App> one(values, 1, false);
    one.open();
    one.prepare({65536, THREADS});
    one.run(variants[0], steps, false);
    for (int f = 0; f < app.fields; f++)
      CHECK(cudaMemcpy(field[f], one.array[f][one.version(f, steps + 1, 0)][0],
                       bytes(f), cudaMemcpyDeviceToDevice));
    CHECK(cudaDeviceSynchronize());
    one.release();
    one.close();
  }
};

// What GPU i must hold of a field in the end.
template <class App>
std::vector<Span> held(const Job<App> &job, const Variant &v, int f, int i)
{
  const App &app = job.app;
  std::vector<Span> s;
  if (job.managed) {
    if (i == 0) s.push_back({0, app.start(f, job.gpus)});
    return s;
  }
  s.push_back({app.start(f, i), app.start(f, i + 1)});
  if (app.exclusive || v.way == LOAD) return s;
  int last = app.phases - 1;
  while (last >= 0 && app.field(last) != f) last--;
  for (int j = 0; j < job.gpus && last >= 0; j++)
    if (j != i)
      for (const Region &r : app.regions(last, j))
        if (r.to >> i & 1) s.push_back(r.words);
  return s;
}

template <class Word, class Place>
void digest(const Word *p, const std::vector<Span> &spans, Place place,
            unsigned long long *sum)
{
  for (Span s : spans) {
    digest_kernel<<<512, THREADS>>>(p, s, place, sum);
    LAUNCHED();
  }
}

inline unsigned long long take_sum(unsigned long long *sum)
{
  unsigned long long n;
  CHECK(cudaMemcpy(&n, sum, sizeof n, cudaMemcpyDeviceToHost));
  CHECK(cudaFree(sum));
  return n;
}

inline unsigned long long *new_sum(int gpu)
{
  unsigned long long *sum = device_alloc<unsigned long long>(gpu, 1);
  CHECK(cudaMemset(sum, 0, sizeof *sum));
  return sum;
}

template <class App>
void check_result(Job<App> &job, const Variant &v, const Reference<App> &ref)
{
  if (v.way == COMPUTE && job.gpus > 1) return;
  for (int i = 0; i < job.gpus; i++)
    for (int f = 0; f < job.app.fields; f++) {
      std::vector<Span> spans = held(job, v, f, i);
      unsigned long long *sum = new_sum(i);
      int now_in = job.version(f, ref.steps + 1, 0);
      digest(job.array[f][now_in][i], spans, job.app.place(f), sum);
      unsigned long long got = take_sum(sum);
      sum = new_sum(0);
      digest(ref.field[f], spans, ref.app.place(f), sum);
      if (got == take_sum(sum)) continue;
      fprintf(stderr,
              "%s: %s on %d GPUs, %s, chunk %u, width %d: after %d steps GPU "
              "%d holds wrong words in field %d\n",
              job.app.name(), v.name, job.gpus, job.app.label().c_str(),
              job.set.chunk_B, job.set.width, ref.steps, i, f);
      quit(1);
    }
}

// ---- options ---------------------------------------------------------------

struct Options : AppOptions {
  std::vector<std::vector<int>> knobs;
  bool check = true, count = false, one_thread = false;
};

template <class App>
bool take_knob(Options &o, const std::string &a, const char *value)
{
  for (size_t k = 0; App::knobs[k].option; k++) {
    if (a != App::knobs[k].option) continue;
    o.knobs[k] = parse_list(o.app, value);
    for (int x : o.knobs[k])
      if (x % App::knobs[k].multiple || x > App::knobs[k].most)
        usage(o.app, "not a multiple of the unit, or too large", value);
    return true;
  }
  return false;
}

inline void check_options(const Options &o)
{
  for (int c : o.chunk)
    if (c % 16) usage(o.app, "--chunk", "not a multiple of 16 bytes");
  for (int w : o.width)  // blocks of the kernel must find room beside the agent
    if (w % THREADS || w > 132 * 512)
      usage(o.app, "--width", "not a multiple of 256 up to 132*512");
  for (int g : o.gpus)
    if (g > MOST) usage(o.app, "--gpus", "more than 8");
  check_variant(o, variants);
}

template <class App> Options parse(const char *app, int argc, char **argv)
{
  Options o;
  o.app = app;
  o.steps = 30;
  for (size_t k = 0; App::knobs[k].option; k++)
    o.knobs.push_back({App::knobs[k].standard});
  parse_options(
      o, argc, argv,
      [&](const std::string &a) {
        if (a == "--no-check") o.check = false;
        else if (a == "--count") o.count = true;
        else return false;
        return true;
      },
      [&](const std::string &a, const char *value) {
        if (a != "--host") return take_knob<App>(o, a, value);
        o.one_thread = std::string(value) == "one";
        if (!o.one_thread && std::string(value) != "per-gpu")
          usage(o.app, "--host", "one or per-gpu");
        return true;
      });
  check_options(o);
  return o;
}

// All combinations of the knobs' values.
inline std::vector<std::vector<int>>
combine(const std::vector<std::vector<int>> &knobs)
{
  std::vector<std::vector<int>> all = {{}};
  for (const auto &values : knobs) {
    std::vector<std::vector<int>> next;
    for (const auto &begun : all)
      for (int x : values) {
        next.push_back(begun);
        next.back().push_back(x);
      }
    all = next;
  }
  return all;
}

inline std::vector<Setting> settings_of(const Variant &v, int gpus,
                                        const Options &o)
{
  std::vector<Setting> all;
  size_t chunks = v.chunk && gpus > 1 ? o.chunk.size() : 1;
  size_t widths = v.width && gpus > 1 ? o.width.size() : 1;
  for (size_t c = 0; c < chunks; c++)
    for (size_t w = 0; w < widths; w++)
      all.push_back({unsigned(o.chunk[c]), o.width[w]});
  return all;
}

inline bool runs_here(const Options &o, const Variant &v, int gpus)
{
  if (v.managed()) return o.variant != "all" && wanted(o, v);
  return wanted(o, v) && (gpus > 1 || v.way == COMPUTE);
}

// ---- counting --------------------------------------------------------------

class Counts {
public:
  explicit Counts(std::string at_) : at(std::move(at_)) {}
  void print(const std::string &name, double value) const
  {
    printf("%s.%s,%.9g\n", at.c_str(), name.c_str(), value);
  }

private:
  std::string at;
};

inline int bits_in(unsigned x) { return __builtin_popcount(x); }

// Stores that leave the GPU when the kernel does them, by bytes: a run of a
// warp, cut where regions and lines of 128 B end.
template <class App>
void count_stores(const App &app, int p, int i, const std::vector<Region> &to,
                  const Counts &counts)
{
  std::map<unsigned, double> stores;
  std::vector<bool> seen(app.start(app.field(p), i + 1) + 1);
  double stored = 0, distinct = 0;
  auto one = [&](Span s, unsigned peers) {
    for (unsigned at = s.first, end; at < s.end; at = end) {
      end = std::min(s.end, (at / 32 + 1) * 32);
      stores[4 * (end - at)] += bits_in(peers);
    }
    for (unsigned at = s.first; at < s.end; at++) {
      if (at >= seen.size()) seen.resize(at + 1);
      stored++;
      distinct += !seen[at];
      seen[at] = true;
    }
  };
  for (unsigned b = 0; b < app.blocks(p, i, false) && !to.empty(); b++)
    app.runs(p, i, b, [&](Span run) {
      for (const Region &r : to) {
        Span s = overlap(run, r.words);
        if (s.first < s.end) one(s, r.to);
      }
    });
  for (const auto &s : stores)
    counts.print("inline_stores_" + std::to_string(s.first) + "B", s.second);
  if (distinct > 0) counts.print("rewrites", stored / distinct);
}

inline void count_bytes(const std::vector<Region> &to, const Counts &counts)
{
  double publish = 0, sent = 0;
  unsigned peers = 0;
  for (const Region &r : to) {
    double bytes = 4.0 * (r.words.end - r.words.first);
    publish += bytes;
    sent += bytes * bits_in(r.to);
    peers |= r.to;
  }
  counts.print("publish_B", publish);
  counts.print("sent_B", sent);
  counts.print("destinations", bits_in(peers));
}

// What the host calls in a phase.
struct Calls {
  double launches, copies, events, syncs;
};

inline Calls calls_of(const Variant &v, const Plan &plan)
{
  Calls c = {1, 0, 0, 1};
  if (v.way == COPY)
    for (const Region &r : plan.regions) c.copies += bits_in(r.to);
  if (v.way == POLL) c.launches += !plan.chunks.empty();
  if (v.two_streams() && !plan.chunks.empty()) c.syncs = 2;
  if (v.way != PIECES) return c;
  c.launches = double(plan.cuts.size());
  for (const Piece &k : plan.chunks) c.copies += bits_in(k.to);
  for (const Cut &k : plan.cuts) c.events += k.chunks.empty() ? 0 : 2;
  return c;
}

inline void count_calls(const Variant &v, const Plan &plan,
                        const std::string &prefix, const Counts &counts)
{
  Calls c = calls_of(v, plan);
  std::string name = prefix + v.name;
  counts.print(name + ".launches", c.launches);
  counts.print(name + ".copies", c.copies);
  counts.print(name + ".events", c.events);
  counts.print(name + ".syncs", c.syncs);
}

template <class App>
void count_chunks(const App &app, int p, int i, int gpus, const Options &o,
                  const Counts &counts)
{
  for (int c : o.chunk) {
    Plan plan = make_plan(app, p, i, gpus, unsigned(c) / 4);
    std::string of = "chunk" + std::to_string(c) + ".";
    double updates = 0;
    for (const Piece &k : plan.chunks) updates += k.contributors;
    counts.print(of + "chunks", double(plan.chunks.size()));
    counts.print(of + "counter_updates", updates);
    for (const Variant &v : variants)
      if (v.chunk) count_calls(v, plan, of, counts);
    if (c != o.chunk[0]) continue;
    for (const Variant &v : variants)
      if (!v.chunk) count_calls(v, plan, "", counts);
  }
}

template <class App>
void count_job(const std::vector<int> &values, int gpus, const Options &o)
{
  App app(values, gpus);
  for (int i = 0; i < gpus; i++)
    for (int p = 0; p < app.phases; p++) {
      Counts counts(std::string(app.name()) + "." + app.label() + ".gpus" +
                    std::to_string(gpus) + ".gpu" + std::to_string(i) +
                    ".phase" + std::to_string(p));
      std::vector<Region> to;
      if (gpus > 1) to = app.regions(p, i);
      counts.print("share_B", 4.0 * (app.start(app.field(p), i + 1) -
                                     app.start(app.field(p), i)));
      counts.print("blocks", app.blocks(p, i, false));
      count_bytes(to, counts);
      count_stores(app, p, i, to, counts);
      count_chunks(app, p, i, gpus, o, counts);
    }
}

// ---- timing ----------------------------------------------------------------

// On one GPU the row serves all numbers of GPUs whose knobs differ.
template <class App>
void print_rows(const Job<App> &job, const Variant &v, const Options &o,
                const Stat &s)
{
  std::set<std::string> texts;
  for (int g : o.gpus)
    if (g > 1 && job.gpus == 1) texts.insert(job.app.text(g));
  if (texts.empty()) texts.insert(job.app.text(job.gpus));
  for (std::string text : texts) {
    std::string name = v.name;
    if (o.one_thread) text += ";threads=1";
    if (v.chunk)
      text += ";" + name + ".chunk=" + std::to_string(job.set.chunk_B);
    if (v.width)
      text += ";" + name + ".width=" + std::to_string(job.set.width);
    run_row(job.app.name(), v.name, text, job.gpus, s);
  }
}

template <class App>
void time_run(Job<App> &job, const Variant &v, const Options &o,
              const Reference<App> &ref)
{
  if (v.managed()) {
    double one = median(job.run(v, 3, o.one_thread));
    if (one * ref.steps > LONGEST) {
      fprintf(stderr, "%s: %s on %d GPUs, %s: %.3g s a step: not timed\n",
              job.app.name(), v.name, job.gpus, job.app.label().c_str(), one);
      return;
    }
  }
  std::vector<double> t = job.run(v, ref.steps, o.one_thread);
  check_result(job, v, ref);
  t.erase(t.begin(), t.begin() + WARMUP_STEPS);
  print_rows(job, v, o, robust(t));
}

// Calls act(job, variant) for all settings of this problem on so many GPUs.
template <class App, class Act>
void each_setting(const std::vector<int> &values, int gpus, const Options &o,
                  bool managed, Act act)
{
  std::unique_ptr<Job<App>> job;
  for (const Variant &v : variants) {
    if (!runs_here(o, v, gpus) || v.managed() != managed) continue;
    if (!job) {
      job.reset(new Job<App>(values, gpus, managed));
      if (managed && job->fields_B() > GiB) {
        fprintf(stderr, "%s: %s: more than 1 GiB: no managed memory\n",
                job->app.name(), job->app.label().c_str());
        return;
      }
      job->open();
    }
    for (Setting s : settings_of(v, gpus, o)) {
      job->prepare(s);
      if (v.way != LAUNCH || job->most_chunks() <= PENDING) act(*job, v);
      else
        fprintf(stderr, "%s: %s, chunk %u: too many launches: skipped\n",
                job->app.name(), v.name, s.chunk_B);
      job->release();
    }
  }
  if (job) job->close();
}

template <class App>
void all_runs(const std::vector<int> &values, const Options &o, int here,
              bool timed, const Reference<App> &ref)
{
  for (bool managed : {false, true})
    for (int g : o.gpus) {
      if (g > here || (managed && !managed_everywhere(g))) continue;
      each_setting<App>(values, g, o, managed,
                        [&](Job<App> &job, const Variant &v) {
                          if (timed) return time_run(job, v, o, ref);
                          job.run(v, ref.steps, o.one_thread);
                          check_result(job, v, ref);
                        });
    }
}

template <class App> void run_all(const Options &o, int here)
{
  if (o.check) {
    Reference<App> ref(App::small(), CHECK_STEPS);
    ref.from_host();
    all_runs<App>(App::small(), o, here, false, ref);
  }
  for (const std::vector<int> &values : combine(o.knobs)) {
    Reference<App> ref(values, WARMUP_STEPS + o.steps);
    ref.from_one_gpu(values);
    all_runs<App>(values, o, here, true, ref);
  }
}

template <class App> int program(const char *app, int argc, char **argv)
{
  Options o = parse<App>(app, argc, argv);
  if (o.count) {
    for (const std::vector<int> &values : combine(o.knobs))
      for (int g : o.gpus) count_job<App>(values, g, o);
    return 0;
  }
  int least = *std::min_element(o.gpus.begin(), o.gpus.end());
  int here = open_gpus(app, least, o.peers);
  for (int i = 0; i < here; i++) {
    CHECK(cudaSetDevice(i));
    CHECK(cudaDeviceSetLimit(cudaLimitDevRuntimePendingLaunchCount, PENDING));
  }
  for (int g : o.gpus)
    if (g > here)
      fprintf(stderr, "%s: %d GPUs, found %d: skipped\n", app, g, here);
  run_all<App>(o, here);
  return 0;
}
