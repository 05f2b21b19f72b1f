/**
 * Runs in: ipamd.
 *
 * <p>A checkpoint that is appended to instead of replaced: what changed stands in a journal beside
 * the plain file, and is folded into it now and then and when the program ends. A daemon of the AWS
 * VPC CNI, which does not know the journal, reads what was folded last.
 *
 * <p>Looks wrong, is right: the journal begins with all that the plain file has. It shows that the
 * two belong together, and replaces a plain file that is damaged.
 *
 * <p>Read {@link io.tidemark.datastore.journal.JournalCheckpointer} first.
 */
@NullMarked
package io.tidemark.datastore.journal;

import org.jspecify.annotations.NullMarked;
