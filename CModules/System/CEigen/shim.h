/* Header-only C++: included by C++ sources through the include path that pkg-config gives. */
