type F = ([a]: number[] = []) => void;
