/**
 * Runs in: anywhere.
 *
 * <p>The program with the provider {@code aws}, in a process of its own as a user starts it,
 * against servers that call themselves EC2. Read {@link io.tidemark.it.aws.EmulatorMainJobTest}
 * first.
 */
@NullMarked
package io.tidemark.it.aws;

import org.jspecify.annotations.NullMarked;
