// goodput.cpp - equations of the library from C++:
//   c++ goodput.cpp $(pkg-config --cflags --libs gpuscale) -o goodput
#include <gpuscale.h>

#include <iostream>

int main()
{
  const gscale_link *pcie4 = gscale_link_find("pcie4");

  for (double bytes : {8., 32., 128.})
    std::cout << bytes << " B: "
              << gscale_goodput(pcie4, GSCALE_STORE, bytes, 0) << '\n';
}
