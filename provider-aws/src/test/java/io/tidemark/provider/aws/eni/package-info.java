/** The decisions as tables, the sagas against the strict EC2. */
@NullMarked
package io.tidemark.provider.aws.eni;

import org.jspecify.annotations.NullMarked;
