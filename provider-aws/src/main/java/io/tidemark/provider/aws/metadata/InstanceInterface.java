package io.tidemark.provider.aws.metadata;

import io.tidemark.ip.AddressSet;
import io.tidemark.ip.Cidr;
import java.util.List;

/**
 * An interface of the instance that a program works for, by EC2 or by the metadata, which may have
 * addresses that EC2 has taken away since.
 *
 * @param id in EC2
 * @param card network card
 * @param device its number on that card; 0 on card 0 is the instance's own interface
 * @param mac as EC2 writes it
 * @param subnet id; empty when unknown
 * @param use what the program may do with it
 * @param efa whether it is an Elastic Fabric Adapter
 * @param singles secondary addresses that belong to no prefix, without the primary one
 * @param prefixes /28 blocks, ascending
 * @param ipv6Prefixes /80 blocks, ascending
 */
public record InstanceInterface(
    String id,
    int card,
    int device,
    String mac,
    String subnet,
    Use use,
    boolean efa,
    AddressSet singles,
    List<Cidr> prefixes,
    List<Cidr> ipv6Prefixes) {
  /** The permitted use of an interface. */
  public enum Use {
    PODS,
    /** Its addresses are for pods, and pods get interfaces of their own through it. */
    TRUNK,
    /** It takes its place and nothing else. */
    OF_OTHERS
  }
}
