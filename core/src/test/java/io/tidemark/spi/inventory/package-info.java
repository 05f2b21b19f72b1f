/** What a provider remembers, on the least interface there can be. */
@NullMarked
package io.tidemark.spi.inventory;

import org.jspecify.annotations.NullMarked;
