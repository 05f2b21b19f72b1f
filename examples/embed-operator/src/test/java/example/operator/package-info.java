/** Runs in: tests of the example on a real API server. */
@NullMarked
package example.operator;

import org.jspecify.annotations.NullMarked;
