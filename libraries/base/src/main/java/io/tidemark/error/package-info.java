/**
 * Runs in: anywhere.
 *
 * <p>Coded errors: a number that is published once and never reused, what kind of reaction it asks
 * for, the offending value and what a person can do. Ranges: 1000 core, 2000 cloud, 3000 AWS, 4000
 * Azure, 9000 mock. The list for people is docs/errors.md.
 *
 * <p>Read {@link io.tidemark.error.ErrorCode} first.
 */
@NullMarked
package io.tidemark.error;

import org.jspecify.annotations.NullMarked;
