/**
 * Runs in: anywhere.
 *
 * <p>The definition of a correct provider, as suites that a provider's tests subclass; published in
 * core's test-jar. A provider supplies a {@link io.tidemark.spi.contract.ContractCloud}.
 *
 * <p>Read {@link io.tidemark.spi.contract.AllocationContract} first.
 */
@NullMarked
package io.tidemark.spi.contract;

import org.jspecify.annotations.NullMarked;
