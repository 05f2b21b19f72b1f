/** Runs in: tests of the example, as a process of its own. */
@NullMarked
package example.embed;

import org.jspecify.annotations.NullMarked;
