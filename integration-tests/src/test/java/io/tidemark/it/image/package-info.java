/**
 * Runs in: anywhere.
 *
 * <p>The operator's image ({@code deploy/image}): what it is made of, and that it works as {@code
 * deploy/base} restricts it. Read {@link io.tidemark.it.image.ImageTest} first.
 */
@NullMarked
package io.tidemark.it.image;

import org.jspecify.annotations.NullMarked;
