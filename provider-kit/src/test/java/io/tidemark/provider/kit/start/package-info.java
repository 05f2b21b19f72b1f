/** The tests of the work before the first request to a cloud. */
@NullMarked
package io.tidemark.provider.kit.start;

import org.jspecify.annotations.NullMarked;
