# docs/explanation/formulas.md: three answers redone by hand from the numbers that explain
# lists, and the terms of `explain --formula`, which sum to the time.
#once

$ number() { awk -F, -v n="$2" '$1 == n { print $2 }' "$1"; }; \
  near() { awk -v a="$1" -v b="$2" 'BEGIN { print (a > b ? a - b : b - a) < 1e-9 * b ? "same" : a " is not " b }'; }; \
  ask() { gpuscale explain "$@" --all -f csv > n; gpuscale predict "$@" -f csv | awk -F, '/^[^#]/ && $6 > 0 { t = $6 } END { print t }' > t; }; \
  printf '%s\n' number near ask > /dev/null; \
  ask jacobi -s h200x8 -g 2 -p memcpy; v() { number n "$1"; }; \
  near $(awk "BEGIN { printf \"%.12g\", $(v host.launch) * (1 + $(v host.launch_contention)) + $(v host.sync) + $(v copy.latency) + \
    $(v sweep.compute.bytes) / 2 / ($(v device.membw) * $(v 'device.membw_curve[15]')) + $(v device.start) + \
    $(v copy.initiation) + $(v sweep.publish.bytes) * 288 / 256 / ($(v link.rate) * $(v copy.efficiency)) + $(v host.barrier) }") $(cat t); \
  ask allgather -s h200x8 -g 4 -p nccl; \
  near $(awk "BEGIN { s = log(512e6 / 2^28) / log(2); c = $(v 'device.membw_curve[14]'); d = $(v 'device.membw_curve[15]'); \
    printf \"%.12g\", $(v host.launch) * (1 + 3 * $(v host.launch_contention)) + $(v host.sync) + \
    512e6 / ($(v device.membw) * (c + s * (d - c))) + $(v device.start) + \
    $(v coll.start) + $(v coll.simple_start) + 3 * $(v coll.flag_step) + (0.75 + $(v coll.turn) / 4) * 256e6 / ($(v link.rate) * $(v coll.efficiency) * 256 / 288) + \
    $(v host.barrier) + 2 * $(v host.barrier_more) }") $(cat t); \
  ask jacobi -s dgx-h100-ndr -g 16 -p memcpy; \
  near $(awk "BEGIN { printf \"%.12g\", $(v host.launch) * (1 + 7 * $(v host.launch_contention)) + $(v host.sync) + $(v host.sync_more) + \
    $(v sweep.compute.bytes) / 16 / $(v device.membw) + $(v device.start) + $(v host.barrier) + 6 * $(v host.barrier_more) + \
    $(v gpudirect.long_latency) + $(v sweep.publish.bytes) / $(v gpudirect.long_rate) + $(v network.barrier) + sqrt(2 * log(2)) * $(v network.jitter) }") $(cat t)
same
same
same
$ for a in 'jacobi -p inline' 'als -p proact-poll' 'als -p gps' 'jacobi -p finepack' 'tp-layer -p schedule' 'cg -p nccl'; do \
    gpuscale explain $a -s h200x8 -g 4 --proposed --formula -f csv | grep -v '^#' > terms || echo "$a"; \
    sed 's/"\([^",]*\), [^"]*"/\1/' terms | awk -F, -v a="$a" 'NR > 1 && $1 != "T" { sum += $5; n++ } $1 == "T" { t = $5 } \
      END { d = sum - t; if (!(n > 4 && d * d < 1e-18 * t * t)) print a, sum, t }'; done

# The page names functions and tests that exist, and papers of the list.
$ cd $SRC && grep -o '`gscale_[a-z_]*()`' docs/explanation/formulas.md | tr -d '`()' | while read -r f; do grep -qrw "$f" model --include=*.h || echo "$f"; done; \
    grep -o '`t_[a-z]*\.c`' docs/explanation/formulas.md | tr -d '`' | while read -r f; do [ -s "tests/$f" ] || echo "$f"; done; \
    grep -o '\[[A-Z][A-Za-z0-9]*\]' docs/explanation/formulas.md | while read -r f; do grep -qF "| $f |" model/REFERENCES.md || echo "$f"; done
