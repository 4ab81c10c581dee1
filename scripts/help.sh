# help.sh - what the help of $gpuscale says, for scripts that make something of it.

verbs() { "$gpuscale" help | sed -n '/^verbs/,/^$/s/^  \([a-z]*\) .*/\1/p'; }
summary() { "$gpuscale" help | sed -n "s/^  $1  *//p" | head -n 1; }
usage() { "$gpuscale" help "$1" | sed -n "s/^usage: gpuscale $1 //p"; }
# The lines of the help of verb $1, or of the program, below the heading $2.
below() {
  "$gpuscale" help ${1:+"$1"} | awk -v heading="$2" '
    $0 == heading { on = 1; next }
    /^[^ ]/ { on = 0 }
    on && NF'
}
# The options of a verb, one a line, with tabs between: letter, name, argument, what
# it is; - for what it has not. What else begins with a dash has only an argument.
options() {
  below "$1" options | awk '
    function put() { if (row != "") print row "\t" text }
    function add(more) { sub(/^ +/, "", more); text = text (text == "" ? "" : " ") more }
    /^  (-.,|   ) --/ {
      put(); text = ""
      letter = substr($0, 4, 1); if (letter == " ") letter = "-"
      rest = substr($0, 9)
      name = rest; sub(/ .*/, "", name)
      rest = substr(rest, length(name) + 1)
      argument = "-"
      if (rest ~ /^ [^ ]/) {
        argument = substr(rest, 2); sub(/ .*/, "", argument)
        rest = substr(rest, length(argument) + 2)
      }
      row = letter "\t" name "\t" argument; add(rest)
      next
    }
    /^  -/ { put(); text = ""; row = "-\t-\t" substr($0, 3); next }
    { add($0) }
    END { put() }'
}
# SPDX-License-Identifier: GPL-3.0-or-later
