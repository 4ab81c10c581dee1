// plan.cuh - the variants of the programs that use program.cuh or sums.cuh, and
// what a GPU sends in a phase: regions, their chunks, and the cuts at which
// chunks are complete. No CUDA call.
#pragma once
#include "publish.cuh"

#include <map>

// COLLECTIVE is only of the programs of sums.cuh.
enum Way {
  COMPUTE, COPY, PIECES, STORE, POLL, LAUNCH, LOAD, MANAGED, ADVISED, COLLECTIVE
};

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

/* SPDX-License-Identifier: GPL-3.0-or-later */
