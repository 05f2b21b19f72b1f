/** Tests of the steps that change the cloud. */
@NullMarked
package io.tidemark.provider.kit.step;

import org.jspecify.annotations.NullMarked;
