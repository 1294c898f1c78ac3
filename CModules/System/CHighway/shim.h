/* C++ only: included by C++ sources; this module exists for its pkg-config flags. */
