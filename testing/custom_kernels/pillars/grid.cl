// The cell of a point; -1: it is outside.
int cell_of(float x, float y) {
  const int column = (int)floor((x - MIN_X) / CELL);
  const int row = (int)floor((y - MIN_Y) / CELL);
  const bool is_inside =
      column >= 0 && column < COLUMNS && row >= 0 && row < ROWS;
  return is_inside ? row * COLUMNS + column : -1;
}

float2 center_of(int cell) {
  return (float2)((cell % COLUMNS + 0.5f) * CELL + MIN_X,
                  (cell / COLUMNS + 0.5f) * CELL + MIN_Y);
}
