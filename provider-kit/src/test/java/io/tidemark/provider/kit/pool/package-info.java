/** Tests of pools and ladders. */
@NullMarked
package io.tidemark.provider.kit.pool;

import org.jspecify.annotations.NullMarked;
