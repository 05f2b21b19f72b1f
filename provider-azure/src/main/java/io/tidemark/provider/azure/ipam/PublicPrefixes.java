package io.tidemark.provider.azure.ipam;

import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpFamily;
import io.tidemark.provider.azure.network.PublicPrefix;
import io.tidemark.provider.azure.network.ResourceId;
import java.util.List;
import java.util.Map;

/** Which public prefixes can give a node its address (provider-azure 4.10). Pure. */
final class PublicPrefixes {
  private PublicPrefixes() {}

  /** Those of IPv4 that are ready and have all of the tags, in the order given. */
  static List<PublicPrefix> tagged(List<PublicPrefix> all, Map<String, String> tags) {
    return all.stream()
        .filter(each -> each.state().equals("succeeded"))
        .filter(each -> each.range().map(Cidr::family).filter(IpFamily.IPV4::equals).isPresent())
        .filter(each -> each.tags().entrySet().containsAll(tags.entrySet()))
        .toList();
  }

  /** Those of which this address is, first, then those that have an address to give. */
  static List<PublicPrefix> usable(List<PublicPrefix> tagged, ResourceId own) {
    List<PublicPrefix> first =
        tagged.stream().filter(each -> each.addresses().contains(own)).toList();
    return first.isEmpty() ? tagged.stream().filter(each -> each.free() > 0).toList() : first;
  }
}
