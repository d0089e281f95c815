import { type A B } from 'c';
