# Neighbours in a line, a square and a cube of GPUs.
#once

# A box of 512 x 512 x 1024 words has cuts of 1, 2 and 2 MiB.  Both sides of each
# cut send it: 7 cuts of a line of 8; 3 and 1 of 4 x 2; 1, 1 and 1 of 2 x 2 x 2.
$ for cut in 1 2 3; do gpuscale predict $SRC/lua/examples/blocks.lua --system h200x8 \
    --gpus 8 -P cut=$cut --paradigm memcpy --format csv | cut -d, -f3,5,20 | \
    sed -n 2p; done
memcpy,8,14680064
memcpy,8,10485760
memcpy,8,10485760

# Opposite faces are one: a face more on either side.
$ for cut in 1 2 3; do gpuscale predict $SRC/lua/examples/blocks.lua --system h200x8 \
    --gpus 8 -P cut=$cut -P periodic=yes --paradigm memcpy --format csv | \
    cut -d, -f20 | sed -n 2p; done
16777216
16777216
20971520

# A grid that is given leaves out other numbers of GPUs.
$ sed 's/({ {0}, {0, 0}, {0, 0, 0} })\[k.cut\]/{2, 0}/' \
    $SRC/lua/examples/blocks.lua > two.lua; \
  gpuscale predict two.lua --system h200x8 --gpus 1-6 --paradigm memcpy \
    --format csv | cut -d, -f3,5
gpuscale: note: no row for 3 GPUs: blocks: sweep: grid.gpus: {2, 0, 1} is no grid of 3 GPUs
gpuscale: note: no row for 5 GPUs: blocks: sweep: grid.gpus: {2, 0, 1} is no grid of 5 GPUs
paradigm,gpus
memcpy,1
memcpy,2
memcpy,4
memcpy,6
$ gpuscale predict two.lua --system h200x8 --gpus 5; echo $?
gpuscale: blocks: sweep: grid.gpus: {2, 0, 1} is no grid of 5 GPUs
3
