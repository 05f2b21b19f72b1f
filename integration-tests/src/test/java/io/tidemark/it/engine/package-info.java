/**
 * Runs in: anywhere.
 *
 * <p>The engine with the mock cloud over nodes in a real API server: the same outcome as over
 * files, and what it does when the server is busy, late, or refuses. Read {@link
 * io.tidemark.it.engine.SequenceTest} first.
 */
@NullMarked
package io.tidemark.it.engine;

import org.jspecify.annotations.NullMarked;
