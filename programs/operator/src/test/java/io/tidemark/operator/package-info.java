/**
 * Tests of the program: commands run in this process, on real threads, against the mock cloud and
 * files of a temporary directory. {@link io.tidemark.operator.Program} is how they are called.
 */
@NullMarked
package io.tidemark.operator;

import org.jspecify.annotations.NullMarked;
