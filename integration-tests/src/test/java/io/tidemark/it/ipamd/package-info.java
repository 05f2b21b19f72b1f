/**
 * Runs in: ipamd.
 *
 * <p>A node whose pods come and go, with the store, the loop and the provider as {@code ipamd} puts
 * them together, on the strict EC2 in virtual time.
 *
 * <p>Read {@link io.tidemark.it.ipamd.Ec2Pool} first.
 */
@NullMarked
package io.tidemark.it.ipamd;

import org.jspecify.annotations.NullMarked;
