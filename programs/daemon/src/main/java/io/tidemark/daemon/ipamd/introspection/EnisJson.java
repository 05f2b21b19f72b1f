package io.tidemark.daemon.ipamd.introspection;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.datastore.CidrKind;
import io.tidemark.datastore.DataStore.Assigned;
import io.tidemark.datastore.PoolView.CidrView;
import io.tidemark.datastore.PoolView.EniView;
import io.tidemark.datastore.StoreEniSpec;
import io.tidemark.datastore.StoreSnapshot;
import io.tidemark.datastore.checkpoint.CheckpointData.Released;
import io.tidemark.datastore.checkpoint.IpamMetadata;
import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpAddress;
import io.tidemark.ip.IpFamily;
import java.time.Instant;
import java.util.Base64;
import java.util.NavigableMap;
import java.util.TreeMap;

/**
 * The interfaces of the network card with their addresses, in the form of the AWS VPC CNI. An
 * address that no pod has and that does not cool is not listed. Containers and the interfaces of
 * pods are blank, as there.
 */
final class EnisJson {
  private static final String NEVER = "0001-01-01T00:00:00Z";

  /**
   * An address that is listed.
   *
   * @param network empty when no pod has it
   */
  private record Listed(String network, IpamMetadata pod, String assigned, String unassigned) {
    static Listed of(Assigned each) {
      return new Listed(
          each.entry().key().networkName(),
          each.entry().metadata(),
          time(each.entry().epochNanos()),
          NEVER);
    }

    static Listed of(Released each) {
      return new Listed("", IpamMetadata.NONE, NEVER, time(each.unassignedEpochNanos()));
    }

    private static String time(long epochNanos) {
      return Instant.EPOCH.plusNanos(epochNanos).toString();
    }
  }

  private EnisJson() {}

  static String print(StoreSnapshot store) {
    ObjectNode document = JsonNodeFactory.instance.objectNode();
    ObjectNode json = document.putObject(Introspection.CARD);
    NavigableMap<IpAddress, Listed> listed = new TreeMap<>();
    store.cooling().forEach(each -> listed.put(each.ip(), Listed.of(each)));
    store.assigned().forEach(each -> listed.put(each.assignment().address(), Listed.of(each)));
    long total = 0;
    for (EniView eni : store.view().enis()) {
      for (CidrView each : eni.cidrs()) {
        total = Math.min(total, Long.MAX_VALUE - each.size()) + each.size();
      }
    }
    json.put("TotalIPs", total);
    json.put("AssignedIPs", store.assigned().size());
    ObjectNode enis = json.putObject("ENIs");
    store.view().enis().forEach(eni -> eni(enis.putObject(eni.spec().id()), eni, listed));
    return document.toString();
  }

  private static void eni(ObjectNode json, EniView eni, NavigableMap<IpAddress, Listed> listed) {
    StoreEniSpec spec = eni.spec();
    json.put("ID", spec.id());
    json.put("IsPrimary", spec.primary());
    json.put("IsTrunk", spec.trunk());
    json.put("IsEFA", spec.efa());
    json.put("DeviceNumber", spec.deviceNumber());
    cidrs(json.putObject("AvailableIPv4Cidrs"), eni, IpFamily.IPV4, listed);
    cidrs(json.putObject("IPv6Cidrs"), eni, IpFamily.IPV6, listed);
    json.put("IsExcludedForPodIPs", eni.excluded());
    json.put("RouteTableID", spec.routeTableId());
    json.put("SubnetID", spec.subnetId());
  }

  private static void cidrs(
      ObjectNode json, EniView eni, IpFamily family, NavigableMap<IpAddress, Listed> listed) {
    for (CidrView each : eni.cidrs()) {
      Cidr cidr = each.cidr();
      if (cidr.family() == family) {
        ObjectNode block = json.putObject(cidr.network() + "/" + cidr.prefixLength());
        ObjectNode named = block.putObject("Cidr");
        named.put("IP", cidr.network().toString()).put("Mask", mask(cidr));
        ObjectNode addresses = block.putObject("IPAddresses");
        listed
            .subMap(cidr.first(), true, cidr.last(), true)
            .forEach((ip, address) -> address(addresses.putObject(ip.toString()), ip, address));
        block.put("IsPrefix", each.kind() == CidrKind.PREFIX);
        block.put("AddressFamily", family == IpFamily.IPV4 ? "4" : "6");
      }
    }
  }

  /** Set bits for the network, in base64 as Go writes bytes. */
  private static String mask(Cidr cidr) {
    byte[] bytes = new byte[cidr.family().bits() / Byte.SIZE];
    for (int bit = 0; bit < cidr.prefixLength(); bit++) {
      bytes[bit / Byte.SIZE] |= (byte) (1 << (Byte.SIZE - 1 - bit % Byte.SIZE));
    }
    return Base64.getEncoder().encodeToString(bytes);
  }

  private static void address(ObjectNode json, IpAddress address, Listed listed) {
    json.put("Address", address.toString());
    ObjectNode key = json.putObject("IPAMKey");
    key.put("networkName", listed.network()).put("containerID", "").put("ifName", "");
    IpamMetadata pod = listed.pod();
    ObjectNode metadata = json.putObject("IPAMMetadata");
    if (!pod.podNamespace().isEmpty()) {
      metadata.put("k8sPodNamespace", pod.podNamespace());
    }
    if (!pod.podName().isEmpty()) {
      metadata.put("k8sPodName", pod.podName());
    }
    if (pod.interfacesCount() != 0) {
      metadata.put("interfacesCount", pod.interfacesCount());
    }
    json.put("AssignedTime", listed.assigned());
    json.put("UnassignedTime", listed.unassigned());
  }
}
