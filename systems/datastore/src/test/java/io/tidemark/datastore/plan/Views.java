package io.tidemark.datastore.plan;

import io.tidemark.datastore.CidrKind;
import io.tidemark.datastore.PoolView;
import io.tidemark.datastore.PoolView.CidrView;
import io.tidemark.datastore.PoolView.EniView;
import io.tidemark.datastore.StoreEniSpec;
import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.stream.Stream;

/**
 * The interfaces of a node in words, as "0=1,c 1x=p3 2d@59=": device 0 with an address in use and
 * one that cools; device 1, excluded, with a prefix that three pods use; device 2, being removed,
 * 59 seconds old instead of an hour, without any. A "t" is a trunk, an "e" an Elastic Fabric
 * Adapter, a "v" an IPv6 prefix.
 */
public final class Views {
  private Views() {}

  /** All of these interfaces. */
  public static PoolView of(CidrKind mode, String words) {
    return new PoolView(mode, Stream.of(words.split(" +", -1)).map(Views::eni).toList());
  }

  private static EniView eni(String word) {
    String[] sides = word.split("=", 2);
    String[] head = sides[0].split("@", 2);
    int device = Integer.parseInt(head[0].replaceAll("\\D", ""));
    String flags = head[0].replaceAll("\\d", "");
    boolean trunk = flags.contains("t");
    boolean efa = flags.contains("e");
    return new EniView(
        new StoreEniSpec("eni-" + device, device, device == 0, trunk, efa, device + 1, ""),
        flags.contains("x"),
        flags.contains("d"),
        Duration.ofSeconds(head.length > 1 ? Integer.parseInt(head[1]) : 3600),
        cidrs(device, sides[1]));
  }

  private static List<CidrView> cidrs(int device, String words) {
    List<CidrView> all = new ArrayList<>();
    for (String word : words.isEmpty() ? new String[0] : words.split(",", -1)) {
      if (word.equals("v")) {
        Cidr prefix = Cidr.parse("2001:db8::/80");
        all.add(new CidrView(prefix, CidrKind.PREFIX, 1L << 48, 0, 0, false));
        continue;
      }
      int at = all.size();
      boolean prefix = word.startsWith("p");
      Cidr cidr =
          prefix
              ? Cidr.parse("10." + (device + 1) + ".0." + 16 * at + "/28")
              : Cidr.single(IpAddress.parse("10.0." + device + "." + at));
      boolean cools = word.equals("c");
      int used = cools ? 0 : Integer.parseInt(word.replace("p", ""));
      CidrKind kind = prefix ? CidrKind.PREFIX : CidrKind.SECONDARY;
      all.add(new CidrView(cidr, kind, prefix ? 16 : 1, used, cools ? 1 : 0, false));
    }
    return all;
  }

  /** A text such as "ENI 1", "IP 5 MIN 10" or "PREFIX 1", with these for what it does not name. */
  public static WarmTargets targets(String text, int prefixes, int enis) {
    return new WarmTargets(
        number(text, "IP"),
        number(text, "MIN"),
        number(text, "PREFIX").orElse(prefixes),
        number(text, "ENI").orElse(enis));
  }

  private static OptionalInt number(String text, String word) {
    List<String> words = List.of(text.split(" ", -1));
    int at = words.indexOf(word);
    return at < 0 ? OptionalInt.empty() : OptionalInt.of(Integer.parseInt(words.get(at + 1)));
  }
}
