/**
 * Runs in: anywhere.
 *
 * <p>EC2 as LocalStack understands it, asked by the real client: an opinion that is not ours. The
 * tests here carry the tag {@code localstack} and run with {@code .ci/localstack/run}.
 *
 * <p>Read {@link io.tidemark.it.localstack.LocalStack} first.
 */
@NullMarked
package io.tidemark.it.localstack;

import org.jspecify.annotations.NullMarked;
