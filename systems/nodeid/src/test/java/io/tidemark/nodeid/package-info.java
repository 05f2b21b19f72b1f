/**
 * Runs in: the build alone.
 *
 * <p>Tables of what follows from node ids, with the worked examples of Contiv.
 */
@NullMarked
package io.tidemark.nodeid;

import org.jspecify.annotations.NullMarked;
