// What the exporting program knows of the network.
#define MIN_X 0.0f
#define MIN_Y (-2.0f)
#define CELL 0.5f
#define COLUMNS 4
#define ROWS 8
#define CELLS (COLUMNS * ROWS)
#define POINT 4
#define FEATURES 9
#define BOX 7
#define THRESHOLD 0.5f
