/* C++ only: included by C++ sources; this module says which package has it. */
