/** Runs in: tests of the facade, with a store in memory and a fake provider. */
@NullMarked
package io.tidemark.engine;

import org.jspecify.annotations.NullMarked;
