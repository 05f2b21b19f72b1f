/** Runs in: anywhere. Tests of the package. */
@NullMarked
package io.tidemark.provider.aws.metadata;

import org.jspecify.annotations.NullMarked;
