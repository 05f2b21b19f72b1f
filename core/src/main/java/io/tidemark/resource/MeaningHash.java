package io.tidemark.resource;

import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpAddress;
import io.tidemark.ip.Ipv4Address;
import io.tidemark.ip.Ipv6Address;
import io.tidemark.resource.Shape.Leaf;
import io.tidemark.resource.Shape.ListOf;
import io.tidemark.resource.Shape.MapOf;
import io.tidemark.resource.Shape.Struct;
import java.util.List;
import java.util.Optional;

/**
 * A hash of what a value of a shape says: values that are the {@link Sameness#same} have equal
 * hashes, and a value that says nothing has {@link #NOTHING}. Order of keys, literals of numbers,
 * spelling of addresses and order of lists without order do not count.
 *
 * <p>Parts of unknown shape are taken as a Go program rewrites them: zero, false and the empty text
 * hash as absence too, although {@link Sameness} tells them apart. Pure; takes time linear in size
 * and copies nothing.
 */
final class MeaningHash {
  static final long NOTHING = 0;

  private static final long PRIME = 0x9E3779B97F4A7C15L;
  private static final long TRUE = mix(3);
  private static final long FALSE = mix(5);
  private static final long ZERO = mix(7);
  private static final long OWNER = textHash(AddressTable.OWNER);
  private static final long RESOURCE = textHash(AddressTable.RESOURCE);

  private MeaningHash() {}

  static long of(Shape shape, JsonValue value) {
    if (value instanceof AddressTable table) {
      return ofTable(table);
    }
    if (value instanceof AddressList list) {
      long sum = NOTHING;
      for (int i = 0; i < list.size(); i++) {
        sum += element(addressHash(list.bits(i)));
      }
      return sum;
    }
    if (value instanceof JsonObject object) {
      return ofObject(shape, object);
    }
    if (value instanceof JsonArray || value instanceof AddressRecords) {
      return ofList(shape, value.asArray().elements());
    }
    if (value instanceof JsonText text) {
      return ofText(shape, text.text());
    }
    if (value instanceof JsonNumber number) {
      boolean counts = shape == Leaf.STATED_COUNT;
      return number.isZero() ? (counts ? ZERO : NOTHING) : mix(number.valueHash() + PRIME);
    }
    if (value instanceof JsonBoolean flag) {
      boolean counts = shape == Leaf.STATED_FLAG;
      return flag == JsonBoolean.TRUE ? TRUE : counts ? FALSE : NOTHING;
    }
    return NOTHING;
  }

  /** Members of a struct count when they say something, keys of a map always. */
  private static long ofObject(Shape shape, JsonObject object) {
    long sum = NOTHING;
    for (int i = 0; i < object.size(); i++) {
      String key = object.key(i);
      if (shape instanceof MapOf map) {
        long name = map.byAddress() ? ofText(Leaf.ADDRESS, key) : textHash(key);
        sum += entry(name, of(map.values(), object.value(i)));
      } else {
        Shape member = shape instanceof Struct struct ? struct.member(key) : Leaf.ANY;
        sum += member(textHash(key), of(member, object.value(i)));
      }
    }
    return sum;
  }

  private static long ofTable(AddressTable table) {
    long sum = NOTHING;
    for (int i = 0; i < table.size(); i++) {
      long owner = ofText(Leaf.TEXT, table.ownerText(i));
      long resource = ofText(Leaf.TEXT, table.resourceText(i));
      long said = member(OWNER, owner) + member(RESOURCE, resource);
      sum += entry(addressHash(table.bits(i)), said);
    }
    return sum;
  }

  private static long ofList(Shape shape, List<JsonValue> elements) {
    Shape each = shape instanceof ListOf list ? list.elements() : Leaf.ANY;
    boolean ordered = !(shape instanceof ListOf list) || list.ordered();
    long hash = NOTHING;
    for (JsonValue value : elements) {
      long next = element(of(each, value));
      hash = ordered ? mix(hash * PRIME + next) : hash + next;
    }
    return hash;
  }

  private static long ofText(Shape shape, String text) {
    if (text.isEmpty()) {
      return NOTHING;
    }
    if (shape == Leaf.ADDRESS) {
      Optional<IpAddress> address = IpAddress.tryParse(text);
      if (address.isPresent()) {
        return address.get() instanceof Ipv4Address ipv4
            ? addressHash(ipv4.bits())
            : addressHash((Ipv6Address) address.get());
      }
    } else if (shape == Leaf.BLOCK) {
      return Cidr.tryParse(text).map(block -> mix(block.hashCode() + PRIME)).orElse(textHash(text));
    }
    return textHash(text);
  }

  private static long member(long key, long said) {
    return said == NOTHING ? NOTHING : mix(key * PRIME + said);
  }

  private static long entry(long key, long said) {
    return mix(key * PRIME + said);
  }

  private static long element(long said) {
    return mix(said + PRIME);
  }

  private static long textHash(String text) {
    return mix(((long) text.hashCode() << 8) + text.length() + 1);
  }

  private static long addressHash(int ipv4) {
    return mix(ipv4 + PRIME);
  }

  private static long addressHash(Ipv6Address address) {
    return mix(mix(address.high() + 1) + address.low());
  }

  /** Spreads every bit over all others, so that sums of hashes do not cancel out. */
  private static long mix(long value) {
    long spread = (value ^ value >>> 30) * 0xBF58476D1CE4E5B9L;
    spread = (spread ^ spread >>> 27) * 0x94D049BB133111EBL;
    return spread ^ spread >>> 31;
  }
}
