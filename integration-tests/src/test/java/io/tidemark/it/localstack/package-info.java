/**
 * Runs in: anywhere.
 *
 * <p>The same questions to LocalStack's EC2, an opinion that is not ours, and to the emulator, by
 * the real client. Those to LocalStack carry the tag {@code localstack} and run with {@code
 * .ci/localstack/run}.
 *
 * <p>Read {@link io.tidemark.it.localstack.Question} first.
 */
@NullMarked
package io.tidemark.it.localstack;

import org.jspecify.annotations.NullMarked;
