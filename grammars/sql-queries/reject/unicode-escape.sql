select U&'\zz'
