# Figures that can be read: forty-six of them, read back from their SVG.
#once

# ---- no text outside, over another or under a curve; a key for every mark; no colour twice
$ $SRC/tests/figures/draw figures; ls figures/*.svg | wc -l
46
# What it is told by: texts apart from one another, one upon the other, one outside.
$ page() { printf '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 50">'; for t in "$@"; do \
    printf '<g transform="translate(%s)" font-size="10" fill="black"><text>%s</text></g>' ${t%:*} ${t#*:}; done; \
    echo '</svg>'; }; \
  page 10,20:over 50,20:under > a.svg; page 10,20:over 14,22:under 90,40:outside > b.svg; \
  $SRC/scripts/dev/boxes a.svg b.svg; echo $?
b.svg: outside: outside
b.svg: overlap: over / under
1

# ---- nine colours that people tell apart
$ $SRC/scripts/dev/inks > inks && head -n 1 inks
9 colours
