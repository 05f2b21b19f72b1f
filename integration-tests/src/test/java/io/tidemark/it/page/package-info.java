/**
 * Runs in: anywhere.
 *
 * <p>The operator's page in a real browser, which {@code .ci/browser/run} brings.
 *
 * <p>Read {@link io.tidemark.it.page.PageTest} first.
 */
@NullMarked
package io.tidemark.it.page;

import org.jspecify.annotations.NullMarked;
