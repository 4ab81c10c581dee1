// publish.cuh - the kernels' half of the programs whose data every GPU holds in
// full or in part at the same place: put() stores a word as the variant wants
// it, done() tells the others, get() reads a word wherever it lies.
// program.cuh is the host's half.
//
// A field is an array of 4 B words. Each GPU has room for all of it, at the
// same offsets; a GPU owns one share, a range of words, and makes it. Regions
// are the ranges that others need, each with those others. A block of the
// kernel makes words of one span, a range known on both sides; spans may
// overlap, and name words that the block does not touch: they are counted alike
// here and on the host. A chunk is a piece of a region. It may leave when all
// blocks whose span meets it have ended.
#pragma once
#include "agent.cuh"

#ifndef __CUDACC_RDC__
#error "kernels launch kernels here: -rdc=true -lcudadevrt"
#endif

const int MOST = 8;      // GPUs
const int FIELDS = 2;    // of a program
const int REGIONS = 16;  // of one GPU's share

// PLAIN stores at home. INLINE stores to the others as well. TRACKED counts up
// the chunks' counters, LAUNCHING also launches the copy of a chunk that is
// complete. REMOTE reads what others own from them. SHARED is for memory that
// all GPUs share. With the last two the kernel makes what its GPU owns.
// REMOTE2 and REMOTE4 are REMOTE for so many GPUs at most: whose a word is, is
// asked of each in turn, for every load.
enum Mode { PLAIN, INLINE, TRACKED, LAUNCHING, REMOTE, REMOTE2, REMOTE4, SHARED };

__host__ __device__ constexpr int owners(Mode m)
{
  return m == REMOTE2 ? 2 : m == REMOTE4 ? 4 : m == REMOTE ? MOST : 1;
}

__host__ __device__ constexpr bool pulls(Mode m)
{
  return owners(m) > 1 || m == SHARED;
}

__host__ __device__ constexpr bool sends(Mode m)
{
  return m == INLINE || m == TRACKED || m == LAUNCHING;
}

struct Span {
  unsigned first, end;  // words of a field
};

struct Region {
  Span words;
  unsigned to;  // bits: GPUs on the host, peers (in order) in a kernel
};

typedef ChunkTo<MOST - 1> Parcel;

template <class Word> struct Out {
  Word *own, *peer[MOST - 1];  // GPU i's peers: i+1, i+2, ...
  Region region[REGIONS];
  unsigned base[REGIONS];  // the number of the region's first chunk
  int regions;
  bool exclusive;        // what is in a region, only others need
  unsigned chunk, step;  // chunk: in words
  unsigned *ready;
  const Parcel *list;
  unsigned children;  // blocks of a launched copy
};

// Where the field's words are read: owner k's begin with word first[k].
template <class Word> struct In {
  const Word *own, *of[MOST];
  unsigned first[MOST];
};

template <class Word> struct Args {
  Out<Word> out;
  In<Word> in[FIELDS];
  unsigned step;
};

// ---- shares, spans and chunks -----------------------------------------------

// Equal shares, as nearly as units allow: the first unit of part i of n.
__host__ __device__ inline unsigned deal(unsigned units, unsigned n, unsigned i)
{
  unsigned more = units % n;
  return units / n * i + (i < more ? i : more);
}

__host__ __device__ inline Span overlap(Span a, Span b)
{
  Span s = {a.first > b.first ? a.first : b.first,
            a.end < b.end ? a.end : b.end};
  if (s.first >= s.end) s.first = s.end = 0;
  return s;
}

// The chunks of a region that a span meets.
__host__ __device__ inline Span chunks_met(Span region, Span s, unsigned chunk)
{
  Span o = overlap(region, s);
  if (o.first == o.end) return o;
  return {(o.first - region.first) / chunk,
          (o.end - 1 - region.first) / chunk + 1};
}

// ---- in a kernel -----------------------------------------------------------

// The regions that a block's span meets, [first, end).
struct Reach {
  int first, end;
};

template <Mode M, class Word>
__device__ inline Reach reach(const Out<Word> &o, Span s)
{
  Reach n = {0, 0};
  for (int r = 0; sends(M) && r < o.regions; r++) {
    Span met = overlap(o.region[r].words, s);
    if (met.first == met.end) continue;
    if (n.end == 0) n.first = r;
    n.end = r + 1;
  }
  return n;
}

// v is a word, or as many as a region's ends are multiples of.
template <Mode M, class Word, class Words>
__device__ inline void put(const Out<Word> &o, Reach n, unsigned at, Words v)
{
  bool away = false;
  if (M == INLINE)
    for (int r = n.first; r < n.end; r++) {
      const Span s = o.region[r].words;
      if (at < s.first || at >= s.end) continue;
      away = o.exclusive;
      for (unsigned to = o.region[r].to; to; to &= to - 1)
        *reinterpret_cast<Words *>(o.peer[__ffs(int(to)) - 1] + at) = v;
    }
  if (!away) *reinterpret_cast<Words *>(o.own + at) = v;
}

__global__ void copy_kernel(const Parcel *p)
{
  const Parcel c = *p;
  move_words<MOST - 1>(c.src, c.dst, c.words,
                       size_t(blockIdx.x) * blockDim.x + threadIdx.x,
                       size_t(gridDim.x) * blockDim.x);
}

// The fence orders the counts of the others before the copy, which reads what
// they have stored.
template <class Word>
__device__ inline void count_and_launch(const Out<Word> &o, unsigned chunk)
{
  unsigned seen = count_up_and_see(o.ready + chunk);
  if (seen != o.step * o.list[chunk].contributors) return;
  __threadfence();
  copy_kernel<<<o.children, THREADS, 0, cudaStreamFireAndForget>>>(o.list +
                                                                   chunk);
}

// Called by all threads of the block when their words are stored.
template <Mode M, class Word>
__device__ inline void done(const Out<Word> &o, Reach n, Span s)
{
  if (M != TRACKED && M != LAUNCHING) return;
  if (n.first == n.end) return;
  __syncthreads();
  if (threadIdx.x || threadIdx.y) return;
  for (int r = n.first; r < n.end; r++) {
    Span met = chunks_met(o.region[r].words, s, o.chunk);
    for (unsigned c = o.base[r] + met.first; c < o.base[r] + met.end; c++)
      if constexpr (M == LAUNCHING)
        count_and_launch(o, c);
      else
        count_up(o.ready + c);
  }
}

// The pointer is selected, not looked up: lanes read from different owners.
template <Mode M, class Word>
__device__ inline const Word *where(const In<Word> &in, unsigned at)
{
  const Word *p = in.own;
  if (owners(M) > 1) {
    p = in.of[0];
#pragma unroll
    for (int k = 1; k < owners(M); k++) p = at >= in.first[k] ? in.of[k] : p;
  }
  return p + at;
}

template <Mode M, class Word>
__device__ inline Word get(const In<Word> &in, unsigned at)
{
  return __ldg(where<M>(in, at));
}

__device__ inline float4 load4(const float *p)
{
  return __ldg(reinterpret_cast<const float4 *>(p));
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
