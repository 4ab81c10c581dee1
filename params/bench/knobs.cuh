// knobs.cuh - the options of programs whose knobs are lists, and which settings
// of a variant they ask for. program.cuh and sums.cuh use it.
#pragma once
#include "app.cuh"
#include "plan.cuh"

struct KnobOption {
  const char *option;
  int standard, multiple, most;
};

struct KnobOptions : AppOptions {
  std::vector<std::vector<int>> knobs;
  bool check = true;
};

template <class App> void set_standard(KnobOptions &o, const char *app)
{
  o.app = app;
  for (size_t k = 0; App::knobs[k].option; k++)
    o.knobs.push_back({App::knobs[k].standard});
}

inline bool take_check(KnobOptions &o, const std::string &a)
{
  if (a != "--check" && a != "--no-check") return false;
  o.check = a == "--check";
  return true;
}

template <class App>
bool take_knob(KnobOptions &o, const std::string &a, const char *value)
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

template <class Variants>
void check_options(const KnobOptions &o, const Variants &variants)
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
                                        const AppOptions &o)
{
  std::vector<Setting> all;
  size_t chunks = v.chunk && gpus > 1 ? o.chunk.size() : 1;
  size_t widths = v.width && gpus > 1 ? o.width.size() : 1;
  for (size_t c = 0; c < chunks; c++)
    for (size_t w = 0; w < widths; w++)
      all.push_back({unsigned(o.chunk[c]), o.width[w]});
  return all;
}

// What a row says of a setting.
inline std::string setting_text(const Variant &v, const Setting &s)
{
  const std::string name = std::string(";") + v.name;
  std::string text;
  if (v.chunk) text += name + ".chunk=" + std::to_string(s.chunk_B);
  if (v.width) text += name + ".width=" + std::to_string(s.width);
  return text;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
