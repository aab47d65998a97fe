// Numbers with units: what is read, what is refused, and that what is written reads back exactly.
#include "sim/scenario/quantity.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <cmath>

namespace gridlock::scenario {
namespace {

double value(std::string_view text, Unit unit) {
  const auto parsed = parse_quantity(text, unit);
  const Quantity* q = std::get_if<Quantity>(&parsed);
  return q ? q->value : std::nan("");
}

std::string error(std::string_view text, Unit unit) {
  const auto parsed = parse_quantity(text, unit);
  const QuantityError* e = std::get_if<QuantityError>(&parsed);
  return e ? e->message + " | " + e->help : "";
}

std::string warning(std::string_view text, Unit unit) { return std::get<Quantity>(parse_quantity(text, unit)).warning; }

std::string integer_error(std::string_view text) {
  const auto parsed = parse_integer(text);
  const QuantityError* e = std::get_if<QuantityError>(&parsed);
  return e ? e->message : "";
}

TEST(Quantity, NetworkPortsInBits) {
  // 400e9 bits/s / 8 = 50e9 bytes/s
  for (const char* text : {"400Gbps", "400Gb/s", "400 Gb/s", "400Gbit/s", "0.4Tbps", "4e2Gbps", "+400Gbps", "400.0Gbps"}) {
    EXPECT_EQ(value(text, Unit::network), 50e9) << text;
  }
}

TEST(Quantity, BytesInDecimalAndBinary) {
  EXPECT_EQ(value("450GBps", Unit::bandwidth), 450e9);
  EXPECT_EQ(value("450 GB/s", Unit::bandwidth), 450e9);
  EXPECT_EQ(value("80GB", Unit::bytes), 80e9);
  EXPECT_EQ(value("80GiB", Unit::bytes), 80.0 * 1024 * 1024 * 1024);
  EXPECT_EQ(value("3.35TB/s", Unit::bandwidth), 3.35e12);
}

TEST(Quantity, TimesAreTheNearestDouble) {
  EXPECT_EQ(value("1.5us", Unit::seconds), 1.5e-6);
  EXPECT_EQ(value("1.5µs", Unit::seconds), 1.5e-6);
  EXPECT_EQ(value("2ms", Unit::seconds), 2e-3);
  EXPECT_EQ(value("14s", Unit::seconds), 14);
  EXPECT_EQ(value("2min", Unit::seconds), 120);
  EXPECT_EQ(value("0", Unit::seconds), 0);
}

TEST(Quantity, CountsAndRatios) {
  EXPECT_EQ(value("40M", Unit::count), 40e6);
  EXPECT_EQ(value("1e9", Unit::count), 1e9);
  EXPECT_EQ(value("0.92", Unit::ratio), 0.92);
  EXPECT_EQ(value(".5", Unit::ratio), 0.5);
  EXPECT_EQ(value("989TFLOP/s", Unit::flops), 989e12);
}

TEST(Quantity, UnitOfTheOtherKindIsUnderstood) {
  EXPECT_EQ(value("50GBps", Unit::network), 50e9);
  EXPECT_EQ(warning("50GBps", Unit::network), "");
  EXPECT_EQ(value("3600Gbps", Unit::bandwidth), 450e9);
}

TEST(Quantity, BytesAtAPortRateInBitsAreSuspicious) {
  for (const char* rate : {"25", "40", "100", "200", "400", "800", "1600"}) {
    EXPECT_NE(warning(std::string(rate) + "GBps", Unit::network), "") << rate;
    EXPECT_EQ(warning(std::string(rate) + "Gbps", Unit::network), "") << rate;
  }
  EXPECT_EQ(warning("400GBps", Unit::network), "400 GB/s (bytes) is 3200 Gb/s; a 400 Gb/s port is written 400Gbps");
  EXPECT_EQ(warning("400GBps", Unit::bandwidth), "");
}

TEST(Quantity, BitsWhereDataSheetsGiveBytesAreSuspicious) {
  EXPECT_EQ(warning("450Gbps", Unit::bandwidth), "450 Gb/s (bits) is 56.25 GB/s; 450 GB/s is written 450GBps");
}

TEST(Quantity, SaysWhatToWriteInstead) {
  EXPECT_EQ(error("400", Unit::network), "'400' has no unit | write 400Gbps (bits) or 400GBps (bytes)");
  EXPECT_EQ(error("400G", Unit::network), "'400G' has no unit | write 400Gbps (bits) or 400GBps (bytes)");
  EXPECT_EQ(error("400Gb", Unit::network), "'400Gb' is an amount, not a speed | write 400Gb/s");
  EXPECT_EQ(error("400gbps", Unit::network),
            "unknown unit 'gbps': b is bits, B is bytes, prefixes are k, M, G, T | write 400Gbps (bits) or 400GBps (bytes)");
  EXPECT_EQ(error("450 GBs", Unit::bandwidth), "unknown unit 'GBs' for bandwidth | write 450GBps (bytes) or 450Gbps (bits)");
  EXPECT_EQ(error("80", Unit::bytes), "'80' has no unit | write 80GB (1e9 bytes) or 80GiB (2^30 bytes)");
  EXPECT_EQ(error("80Gb", Unit::bytes), "'80Gb' is not an amount of bytes | write 80GB");
  EXPECT_EQ(error("14", Unit::seconds), "'14' has no unit | write 14s, 14ms or 14us");
  EXPECT_EQ(error("14S", Unit::seconds), "unknown unit 'S' | write 14s");
  EXPECT_EQ(error("989", Unit::flops), "'989' has no unit | write 989TFLOP/s");
  EXPECT_EQ(error("92%", Unit::ratio), "'92%' is not a plain number | write a number without a unit, such as 0.92");
  EXPECT_EQ(error("40MB", Unit::count), "'40MB' is not a plain number | write a number; k, M, G and T may follow");
  EXPECT_EQ(error("fast", Unit::network), "'fast' is not a number | write a number such as 400Gbps");
}

TEST(Quantity, RefusesWhatReadersDisagreeAbout) {
  for (const char* text :
       {"",     " ",    "-",   "+",     ".",     "e9",    "nan",   ".nan",          "NaN", "inf",   ".inf", "-.inf", "-Infinity",
        "0x10", "0o17", "010", "1,000", "1_000", "1'000", "1e999", "1e-9999999999", "--1", "1.2.3", "1e",   "~"}) {
    EXPECT_NE(error(text, Unit::ratio), "") << text;
    EXPECT_NE(integer_error(text), "") << text;
  }
}

TEST(Quantity, Integers) {
  EXPECT_EQ(std::get<std::int64_t>(parse_integer("512")), 512);
  EXPECT_EQ(std::get<std::int64_t>(parse_integer("-3")), -3);
  EXPECT_EQ(std::get<std::int64_t>(parse_integer("40M")), 40'000'000);
  EXPECT_EQ(std::get<std::int64_t>(parse_integer("1e6")), 1'000'000);
  EXPECT_EQ(std::get<std::int64_t>(parse_integer("9007199254740992")), 9007199254740992);
  EXPECT_EQ(integer_error("1.5"), "'1.5' is not a whole number");
  EXPECT_EQ(integer_error("5GB"), "'5GB' is not a whole number");
  EXPECT_EQ(integer_error("99999999999999999999"), "'99999999999999999999' is out of range");
}

TEST(Quantity, WritingAndReadingBackIsExact) {
  const auto found = rc::check("format_quantity, then parse_quantity", [] {
    const auto unit =
        *rc::gen::element(Unit::network, Unit::bandwidth, Unit::bytes, Unit::seconds, Unit::flops, Unit::count, Unit::ratio);
    const double mantissa = static_cast<double>(*rc::gen::inRange<std::int64_t>(0, std::int64_t{1} << 53));
    const double original = std::ldexp(mantissa, *rc::gen::inRange(-90, 40));
    const std::string text = format_quantity(original, unit);
    RC_ASSERT(value(text, unit) == original);
  });
  EXPECT_TRUE(found);
}

TEST(Quantity, WritesThemAsPeopleDo) {
  EXPECT_EQ(format_quantity(50e9, Unit::network), "400Gbps");
  EXPECT_EQ(format_quantity(450e9, Unit::bandwidth), "450GBps");
  EXPECT_EQ(format_quantity(80.0 * 1024 * 1024 * 1024, Unit::bytes), "80GiB");
  EXPECT_EQ(format_quantity(1.5e-6, Unit::seconds), "1.5us");
  EXPECT_EQ(format_quantity(0, Unit::seconds), "0s");
}

}  // namespace
}  // namespace gridlock::scenario
