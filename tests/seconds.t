# seconds: a time of one GPU is never shown for another without a mark: every shipped
# workload on every shipped system.  A time is a workload's own if it states `t1`; then rows
# on other GPUs are `assumed`, and a note says whose time it is.  `template` is a form: the
# GPU is of who fills it in.
#once
#long
$ sees() { gpuscale predict $1 --system $2 --gpus 1-2 --proposed -f csv >rows 2>notes; st=$?; \
    note=$(grep -c "note: t1 of $1 was measured on a GPU of .*; for $2 it is scaled by the roofline" notes); \
    marks=$(awk -F, '/^#/ { next } !n++ { for (i = 1; i <= NF; i++) if ($i == "applicability") c = i; next } \
      { all++; if ($c == "assumed") some++ } END { print all && some == all ? "all" : some ? "some" : "none" }' rows); \
    echo "$st $note $marks"; }; \
  gpuscale list workloads -f csv | grep -v "^#" | sed 1d | cut -d, -f 1 >programs; \
  gpuscale list systems -f csv | grep -v "^#" | sed 1d | cut -d, -f 1 >machines; \
  test $(wc -l <programs) -ge 20 && test $(wc -l <machines) -ge 20 || echo few; \
  for w in $(cat programs); do states=$(grep -c "measured(.*t1\|t1 *=.*measured(" $SRC/lua/workloads/$w.lua); \
    for s in $(cat machines); do echo "$w states=$states $(sees $w $s) $s"; done; done >seen; \
  echo "times of their own:" $(awk '$2 != "states=0" { print $1 }' seen | sort -u); \
  echo "without a note, ct on" $(awk '$1 == "ct" && $3 == 0 && $4 == 0 { print $6 }' seen) "others" \
    $(awk '$2 != "states=0" && $1 != "ct" && $4 == 0 { print $1 }' seen | sort -u); \
  echo "noted, and not all assumed:" $(awk '$4 > 0 && $5 != "all"' seen | wc -l); \
  echo "noted, of programs without a time:" $(awk '$2 == "states=0" && $4 > 0' seen | wc -l)
times of their own: ct moe template tp-layer
without a note, ct on ct-bus k40x4 others moe template tp-layer
noted, and not all assumed: 0
noted, of programs without a time: 0
