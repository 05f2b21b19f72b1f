package io.tidemark.emulator.ec2.admin;

import io.tidemark.emulator.ec2.model.Ec2Attachment;
import io.tidemark.emulator.ec2.model.Ec2Instance;
import io.tidemark.emulator.ec2.model.Ec2Model;
import io.tidemark.emulator.ec2.model.Ec2NetworkInterface;
import io.tidemark.emulator.ec2.model.Ec2Subnet;
import io.tidemark.emulator.ec2.model.Ec2SubnetAddresses;
import io.tidemark.emulator.ec2.model.Ec2Tags;
import io.tidemark.emulator.ec2.model.Region;
import io.tidemark.emulator.kit.http.Html;
import io.tidemark.emulator.kit.http.LocalPages;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Writes the page for people: what there is, and how often it was asked for. Needs no script. */
final class Ec2PageHtml {
  /** Rows of one table; the state dump has them all. */
  private static final int ROWS_MAX = 500;

  private static final int PREFIX_ADDRESSES = 1 << (32 - Ec2SubnetAddresses.PREFIX_LENGTH);

  private Ec2PageHtml() {}

  static String of(Ec2Model world, Instant now) {
    Html page = Html.page("EC2 emulator").raw("<p>");
    page.text("As of " + now.truncatedTo(ChronoUnit.SECONDS) + ". ")
        .text(
            world.isThrottling()
                ? "Requests take tokens; noisy neighbours use "
                    + world.neighboursShare()
                    + " of the refill."
                : "No request is throttled.")
        .raw("</p>");
    if (world.regions().isEmpty()) {
      page.element("p", "No region was asked for yet; the first call makes its default VPC.");
    }
    world.regions().forEach(region -> write(page, region));
    calls(page, world);
    rules(page, world);
    return page.raw("</body></html>\n").toString();
  }

  private static void write(Html page, Region region) {
    page.element("h2", region.name());
    subnets(page, region);
    rows(
        page,
        "Interfaces",
        List.of("Interface", "Name", "Owner", "Subnet", "Attached to", "IPv4", "Prefixes", "IPv6"),
        region.interfaces().present(),
        region.interfaces().present().count(),
        Ec2PageHtml::cells);
    rows(
        page,
        "Instances",
        List.of("Instance", "Name", "Owner", "Type", "Zone", "State", "Interfaces"),
        region.instances().present(),
        region.instances().present().count(),
        Ec2PageHtml::cells);
  }

  private static void subnets(Html page, Region region) {
    page.table(
        "Subnets",
        List.of(
            "Subnet",
            "Name",
            "Owner",
            "VPC",
            "Zone",
            "Block",
            "Used",
            "Free",
            "Free /28 blocks",
            "Fragmented"));
    region
        .subnets()
        .present()
        .limit(ROWS_MAX)
        .forEach(
            subnet -> {
              int free = subnet.availableAddresses();
              int prefixes = region.addresses(subnet.id()).freePrefixes();
              long usable = subnet.block().sizeSaturated() - 5;
              page.raw("<tr>");
              cells(subnet).forEach(cell -> page.element("td", cell));
              page.raw("<td><meter min=\"0\" max=\"" + usable + "\" value=\"" + (usable - free))
                  .raw("\"></meter> " + (usable - free) + "</td>")
                  .element("td", Integer.toString(free))
                  .element("td", Integer.toString(prefixes))
                  .element("td", fragmented(free, prefixes))
                  .raw("</tr>");
            });
    page.endTable();
    more(page, region.subnets().present().count());
  }

  /** The part of the free addresses that no free /28 holds. */
  private static String fragmented(int free, int prefixes) {
    return free == 0
        ? "-"
        : String.format(
            Locale.ROOT, "%d%%", Math.round(100.0 * (free - prefixes * PREFIX_ADDRESSES) / free));
  }

  private static List<String> cells(Ec2Subnet subnet) {
    return List.of(
        subnet.id(),
        name(subnet.tags()),
        subnet.ownerId(),
        subnet.vpcId(),
        subnet.zone().name(),
        subnet.block().toString());
  }

  private static List<String> cells(Ec2NetworkInterface shown) {
    return List.of(
        shown.id(),
        name(shown.tags()).isEmpty() ? shown.settings().description() : name(shown.tags()),
        shown.ownerId(),
        shown.placement().subnetId(),
        shown.attachment().map(Ec2PageHtml::place).orElse(shown.status()),
        joined(shown.addresses().ipv4()),
        joined(shown.addresses().prefixes().stream()),
        joined(
            Stream.concat(
                shown.addresses().ipv6().stream(), shown.addresses().ipv6Prefixes().stream())));
  }

  private static List<String> cells(Ec2Instance instance) {
    return List.of(
        instance.id(),
        name(instance.tags()),
        instance.ownerId(),
        instance.type().name(),
        instance.placement().zone().name(),
        instance.state().wire(),
        Integer.toString(instance.interfaceIds().size()));
  }

  private static String place(Ec2Attachment attachment) {
    return attachment.instanceId()
        + (attachment.card() == 0 ? "" : " card " + attachment.card())
        + " device "
        + attachment.device()
        + (attachment.status() == Ec2Attachment.Status.ATTACHED
            ? ""
            : ", " + attachment.status().wire());
  }

  private static void calls(Html page, Ec2Model world) {
    page.table("Calls", List.of("Action", "Calls", "Refused", "With"));
    world
        .counts()
        .byAction()
        .forEach(
            (action, count) ->
                page.row(
                    List.of(
                        action,
                        Long.toString(count.calls()),
                        Long.toString(count.refusals().values().stream().mapToLong(n -> n).sum()),
                        count.refusals().entrySet().stream()
                            .map(refusal -> refusal.getKey() + " " + refusal.getValue())
                            .collect(Collectors.joining(", ")))));
    page.endTable();
  }

  private static void rules(Html page, Ec2Model world) {
    page.table("Faults and denials", List.of("About", "Rule"));
    world
        .faults()
        .rules()
        .forEach(
            rule ->
                page.row(
                    List.of(
                        rule.action(),
                        rule.kind().name().toLowerCase(Locale.ROOT).replace('_', ' ')
                            + " with probability "
                            + rule.probability())));
    world
        .denials()
        .all()
        .forEach(
            (principal, actions) ->
                page.row(
                    List.of(
                        principal,
                        "denied " + actions.stream().sorted().collect(Collectors.joining(", ")))));
    page.endTable();
  }

  private static <T> void rows(
      Html page,
      String caption,
      List<String> heads,
      Stream<T> all,
      long count,
      Function<T, List<String>> cells) {
    page.table(caption + ": " + count, heads);
    all.limit(ROWS_MAX).forEach(each -> page.row(cells.apply(each)));
    page.endTable();
    more(page, count);
  }

  private static void more(Html page, long count) {
    if (count > ROWS_MAX) {
      page.element("p", (count - ROWS_MAX) + " more; GET " + LocalPages.PATH + "state lists them.");
    }
  }

  private static String name(Ec2Tags tags) {
    return tags.values().getOrDefault("Name", "");
  }

  private static String joined(Stream<?> values) {
    return values.map(Object::toString).collect(Collectors.joining(" "));
  }
}
