# trace.awk - says what in a trace, an event a line, breaks the rules of trace
# viewers: lanes have names and events that do not overlap, times are numbers from
# 0 on, and each flow has one begin and one end, which is not before it.

function number(key,   s) {
  if (!match($0, "\"" key "\": [-0-9.e+]+[,}]")) {
    print "no " key ": " $0
    return 0
  }
  s = substr($0, RSTART, RLENGTH - 1)
  sub(/.*: /, "", s)
  return s + 0
}

!/"ph"/ { next }
{ lane = number("pid") " " number("tid") }
/"ph": "M"/ { named[lane] = 1 }
/"ph": "X"/ {
  events++
  used[lane] = 1
  ts = number("ts")
  dur = number("dur")
  if (ts < 0 || dur < 0) print "before the step: " $0
  for (i = 0; i < n[lane]; i++)
    if (ts < end[lane, i] - 1e-9 && begin[lane, i] < ts + dur - 1e-9)
      print "overlap in " lane ": " $0
  begin[lane, n[lane] + 0] = ts
  end[lane, n[lane]++] = ts + dur
}
/"ph": "s"/ {
  id = number("id")
  from[id]++
  at[id] = number("ts")
}
/"ph": "f"/ {
  id = number("id")
  to[id]++
  if (number("ts") < at[id] - 1e-9) print "back in time: " $0
}
END {
  for (l in used) if (!named[l]) print "no name: " l
  for (i in from) if (from[i] != 1 || to[i] != 1) print "flow " i
  for (i in to) if (from[i] != 1) print "flow " i
  if (events < 2) print "only " events + 0 " events"
}
# SPDX-License-Identifier: GPL-3.0-or-later
