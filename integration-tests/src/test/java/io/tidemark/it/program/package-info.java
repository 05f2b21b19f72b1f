/**
 * Runs in: anywhere.
 *
 * <p>The ready program in a process of its own ({@link io.tidemark.it.program.OperatorProcess}),
 * and the folder of manifests that it works on.
 */
@NullMarked
package io.tidemark.it.program;

import org.jspecify.annotations.NullMarked;
