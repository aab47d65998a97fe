// gridlock calibrate --html.
#include "calibrate/report/page_data.hpp"
#include "sim/cli/calibrate_commands.hpp"
#include "sim/report/html/assets.hpp"
#include "sim/report/html/page.hpp"
#include "sim/report/version.hpp"

namespace gridlock::cli {

void write_calibration_page(const std::string& file, const calibrate::Calibration& calibration,
                            const calibrate::PointFile& points, const CalibrationFiles& files,
                            const nlohmann::ordered_json& verified) {
  nlohmann::ordered_json data = calibrate::page_data(calibration, points);
  data["profile"] = files.profile;
  data["points_file"] = files.points;
  data["version"] = report::version();
  data["verified"] = verified;
  report::html::write_page(file, files.profile + ": calibration", report::html::calibrate_script, data);
}

}  // namespace gridlock::cli
