package io.tidemark.datastore.cloud;

import io.tidemark.datastore.CidrKind;
import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpFamily;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;

/**
 * The network interfaces of one instance, in the cloud (eni-datastore 21.1). A caller begins a
 * change when the one before has ended, or its time is over; reads may overlap.
 *
 * <p>No method blocks, and no stage ends exceptionally: what the cloud answers is a {@link
 * CloudAnswer}. Requests are limited and repeated within; a caller that sees {@link
 * CloudAnswer.Unknown} reads before it decides. Nulls: none in, none out.
 */
public interface InterfaceCloud {
  /** A read that has not ended after so long counts as failed, whatever it answers later. */
  Duration READ_MAX = Duration.ofMinutes(3);

  /** A change that has not ended after so long counts as {@link CloudAnswer.Unknown}. */
  Duration CHANGE_MAX = Duration.ofMinutes(10);

  /**
   * The interfaces that the instance has now, by the authoritative description; in the order of
   * devices.
   */
  CompletionStage<CloudAnswer<List<CloudEni>>> read();

  /**
   * Creates an interface with addresses, attaches it, and has it deleted with its instance. One
   * that is not managed when this ends is shown by later reads, and managed there once it can be
   * used.
   *
   * @param kind of the addresses
   * @param count of the addresses or prefixes, without the primary address
   */
  CompletionStage<CloudAnswer<CloudEni>> createEni(CidrKind kind, int count);

  /** Adds IPv4 addresses, /28 prefixes, or one /80 prefix; what was added. */
  CompletionStage<CloudAnswer<List<Cidr>>> assign(
      String eniId, IpFamily family, CidrKind kind, int count);

  /** Gives back addresses or prefixes of one kind; those that are given back. */
  CompletionStage<CloudAnswer<List<Cidr>>> unassign(String eniId, CidrKind kind, List<Cidr> cidrs);

  /** Detaches an interface and deletes it; its id. */
  CompletionStage<CloudAnswer<String>> removeEni(String eniId);
}
