/** The tests of a provider's memory, on the least interface there can be. */
@NullMarked
package io.tidemark.provider.kit;

import org.jspecify.annotations.NullMarked;
