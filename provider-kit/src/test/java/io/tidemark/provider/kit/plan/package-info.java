/** Tests of rooms and plans. */
@NullMarked
package io.tidemark.provider.kit.plan;

import org.jspecify.annotations.NullMarked;
