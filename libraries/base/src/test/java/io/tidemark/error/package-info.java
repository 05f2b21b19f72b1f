/**
 * Runs in: the build alone.
 *
 * <p>Codes, their messages and their page agree. Read {@link io.tidemark.error.ErrorCodesTest}
 * first.
 */
@NullMarked
package io.tidemark.error;

import org.jspecify.annotations.NullMarked;
