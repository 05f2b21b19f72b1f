/**
 * Runs in: the build alone.
 *
 * <p>Tables of the behaviours of the ledger, and random steps against {@code LedgerModel}.
 */
@NullMarked
package io.tidemark.nodecidr.ledger;

import org.jspecify.annotations.NullMarked;
