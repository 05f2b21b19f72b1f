package io.tidemark.daemon.cni;

import io.tidemark.agent.InterfaceDetails;
import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpAddress;
import java.util.List;
import java.util.Optional;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/** The networks that the addresses of a node belong to. Thread-safe. */
public interface NodeNetworks {
  /** Those that there are now. */
  List<Cidr> cidrs();

  /** Addresses of a network that can be its gateway, the former or the preferred one first. */
  Stream<IpAddress> gateways(Cidr network);

  /** The interface of an address, where addresses belong to interfaces and it is known. */
  default Optional<InterfaceDetails> interfaceOf(IpAddress ip) {
    return Optional.empty();
  }

  /** The addresses that the node's object names for an owner. */
  default List<IpAddress> published(String owner) {
    return List.of();
  }

  /** The network of an address, if it is known. */
  default Optional<Cidr> of(IpAddress ip) {
    return cidrs().stream().filter(each -> each.contains(ip)).findFirst();
  }

  /** How the networks of a node change while pods run. */
  enum Change {
    /** They are those of the start, and each has a gateway. */
    NONE,
    /** Others appear, and each gets its gateway with its first pod, if not at the start. */
    APPEAR,
    /** They come and go, and each has a gateway while it has pods. */
    COME_AND_GO
  }

  /** How they change. */
  default Change change() {
    return Change.NONE;
  }

  /** Blocks that belong to the node as a whole. */
  static NodeNetworks of(List<Cidr> blocks) {
    List<Cidr> copy = List.copyOf(blocks);
    return new NodeNetworks() {
      @Override
      public List<Cidr> cidrs() {
        return copy;
      }

      @Override
      public Stream<IpAddress> gateways(Cidr block) {
        long size = block.sizeSaturated();
        return LongStream.range(size > 2 ? 1 : 0, size).mapToObj(block::address);
      }
    };
  }
}
