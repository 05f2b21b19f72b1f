/** The shape of the module. */
@NullMarked
package io.tidemark.provider.azure;

import org.jspecify.annotations.NullMarked;
