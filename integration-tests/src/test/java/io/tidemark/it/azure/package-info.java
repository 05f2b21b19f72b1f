/**
 * Runs in: anywhere.
 *
 * <p>The program with the provider {@code azure}, in a process of its own as a user starts it,
 * against the emulated Azure Resource Manager. Read {@link io.tidemark.it.azure.AzureMainJobTest}
 * first.
 */
@NullMarked
package io.tidemark.it.azure;

import org.jspecify.annotations.NullMarked;
