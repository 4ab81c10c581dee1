// counts.cuh - what a program does, counted on the host: bytes, stores, calls.
// program.cuh says what is printed.
#pragma once
#include "app.cuh"
#include "plan.cuh"

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
  counts.print(prefix + v.name, calls_of(v, plan));
}

template <class App>
void count_chunks(const App &app, int p, int i, int gpus,
                  const std::vector<int> &chunks, const Counts &counts)
{
  for (int c : chunks) {
    Plan plan = make_plan(app, p, i, gpus, unsigned(c) / 4);
    std::string of = "chunk" + std::to_string(c) + ".";
    double updates = 0;
    for (const Piece &k : plan.chunks) updates += k.contributors;
    counts.print(of + "chunks", double(plan.chunks.size()));
    counts.print(of + "counter_updates", updates);
    for (const Variant &v : variants)
      if (v.chunk) count_calls(v, plan, of, counts);
    if (c != chunks[0]) continue;
    for (const Variant &v : variants)
      if (!v.chunk) count_calls(v, plan, "", counts);
  }
}

template <class App>
void count_job(const std::vector<int> &values, int gpus,
               const std::vector<int> &chunks)
{
  App app(values, gpus);
  for (int i = 0; i < gpus; i++)
    for (int p = 0; p < app.phases; p++) {
      Counts counts(app.name(), app.label(), gpus, i, p);
      std::vector<Region> to;
      if (gpus > 1) to = app.regions(p, i);
      counts.print("share_B", 4.0 * (app.start(app.field(p), i + 1) -
                                     app.start(app.field(p), i)));
      counts.print("blocks", app.blocks(p, i, false));
      count_bytes(to, counts);
      count_stores(app, p, i, to, counts);
      count_chunks(app, p, i, gpus, chunks, counts);
    }
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
